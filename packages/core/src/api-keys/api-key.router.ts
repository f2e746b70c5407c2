import * as z from "zod";
import { listInput } from "../platform/paging.ts";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
import { apiKeySchema, createApiKeyInput, createdApiKeySchema, revokedApiKeySchema } from "./api-key.schema.ts";

const tags = ["API keys"];

export const apiKeyRouter = router({
  list: userProcedure
    .meta({ openapi: { method: "GET", path: "/api-keys", summary: "List keys, newest first", tags } })
    .input(listInput)
    .output(pageOf(apiKeySchema))
    .query(({ ctx, input }) => asPage(ctx.services.apiKeys.list(input))),

  create: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/api-keys",
        summary: "Make a key; it is shown this once",
        tags,
        successStatus: 201,
      },
    })
    .input(createApiKeyInput)
    .output(dataOf(createdApiKeySchema))
    .mutation(({ ctx, input }) => asData(ctx.services.apiKeys.create(input, ctx.principal.userId))),

  revoke: userProcedure
    .meta({
      openapi: {
        method: "DELETE",
        path: "/api-keys/{id}",
        summary: "Revoke a key, at once",
        tags,
        errorStatuses: [404],
      },
    })
    .input(z.object({ id: z.string() }))
    .output(dataOf(revokedApiKeySchema))
    .mutation(({ ctx, input }) => asData(ctx.services.apiKeys.revoke(input.id))),
});
