import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { NotFoundError } from "../../platform/errors.ts";
import { userOrKeyProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
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

  /** Below `/hooks`, because it must accept the hooks' own key: whoever uninstalls them may have no other. */
  revokeOwn: userOrKeyProcedure<{ readonly apiKeys: ApiKeyService }>("hooks")
    .tagged("API keys")
    .rest("POST /hooks/key/revoke", "Revoke the key that makes this request", { errorStatuses: [404] })
    .output(dataOf(revokedApiKeySchema))
    .mutation("destroys", ({ ctx }) => asData(ctx.services.apiKeys.revoke(ownKeyId(ctx.principal)))),
};

function ownKeyId(principal: Principal): string {
  if (principal.kind !== "api_key") throw new NotFoundError("No API key makes this request.");
  return principal.keyId;
}
