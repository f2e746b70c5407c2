import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import { apiKeySchema, createApiKeyInput, createdApiKeySchema, revokedApiKeySchema } from "./api-key.schema.ts";
import type { ApiKeyService } from "./api-key.service.ts";

const procedure = userProcedure<{ readonly apiKeys: ApiKeyService }>().tagged("API keys");

export const apiKeyRouter = {
  list: procedure
    .rest("GET /api-keys", "List keys, newest first")
    .input(listInput)
    .output(pageOf(apiKeySchema))
    .query(({ ctx, input }) => asPage(ctx.services.apiKeys.list(input))),

  create: procedure
    .rest("POST /api-keys", "Create a key; it is shown only once", { successStatus: 201 })
    .input(createApiKeyInput)
    .output(dataOf(createdApiKeySchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.apiKeys.create(input, ctx.principal.userId))),

  revoke: procedure
    .rest("DELETE /api-keys/{id}", "Revoke a key with immediate effect", { errorStatuses: [404] })
    .input(z.object({ id: z.string() }))
    .output(dataOf(revokedApiKeySchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.apiKeys.revoke(input.id))),
};
