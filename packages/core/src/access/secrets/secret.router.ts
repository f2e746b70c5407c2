import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { userOrKeyProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  byKeyInput,
  createSecretInput,
  listSecretAccessesInput,
  revealedSecretSchema,
  secretAccessSchema,
  secretRotationSchema,
  secretSchema,
  updateSecretInput,
} from "./secret.schema.ts";
import {
  createSecretGrantInput,
  deleteSecretGrantInput,
  listSecretGrantsInput,
  secretGrantSchema,
  useSecretsInput,
} from "./secret-grant.schema.ts";
import type { SecretService } from "./secret.service.ts";

const actorOf = (principal: Pick<Principal, "userId">) => `user:${principal.userId}`;

const procedure = userProcedure<{ readonly secrets: SecretService }>().tagged("Secrets");

export const secretRouter = {
  list: procedure
    .rest("GET /secrets", "List secrets without their values")
    .input(listInput)
    .output(pageOf(secretSchema))
    .query(({ ctx, input }) => asPage(ctx.services.secrets.list(input))),

  create: procedure
    .rest("POST /secrets", "Store a secret", { successStatus: 201, errorStatuses: [409, 503] })
    .input(createSecretInput)
    .output(dataOf(secretSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.secrets.create(input, actorOf(ctx.principal)))),

  rotate: procedure
    .rest("POST /secrets/rotate", "Encrypt all secrets with a new key", { errorStatuses: [409] })
    .output(dataOf(secretRotationSchema))
    .mutation("writes", ({ ctx }) => asData(ctx.services.secrets.rotate(actorOf(ctx.principal)))),

  reveal: procedure
    .rest("GET /secrets/{key}", "Get a secret's value; the access is recorded", { errorStatuses: [404, 503] })
    .input(byKeyInput)
    .output(dataOf(revealedSecretSchema))
    .query(({ ctx, input }) => asData(ctx.services.secrets.reveal(input.key, actorOf(ctx.principal)))),

  update: procedure
    .rest("PUT /secrets/{key}", "Change the value or the description", { errorStatuses: [404, 503] })
    .input(updateSecretInput)
    .output(dataOf(secretSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.secrets.update(input, actorOf(ctx.principal)))),

  delete: procedure
    .rest("DELETE /secrets/{key}", "Delete a secret for good", { errorStatuses: [404] })
    .input(byKeyInput)
    .output(dataOf(z.object({ deleted: z.literal(true) })))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.secrets.delete(input.key, actorOf(ctx.principal)))),

  listAccesses: procedure
    .rest("GET /secrets/{key}/accesses", "Who did what with a secret, newest first")
    .input(listSecretAccessesInput)
    .output(pageOf(secretAccessSchema))
    .query(({ ctx, input }) => asPage(ctx.services.secrets.listAccesses(input))),

  listGrants: procedure
    .rest("GET /secrets/{key}/grants", "List the commands that may use a secret, oldest first")
    .input(listSecretGrantsInput)
    .output(pageOf(secretGrantSchema))
    .query(({ ctx, input }) => asPage(ctx.services.secrets.grants.list(input))),

  createGrant: procedure
    .rest("POST /secrets/{key}/grants", "Let a command use a secret in a folder", {
      successStatus: 201,
      errorStatuses: [404],
    })
    .input(createSecretGrantInput)
    .output(dataOf(secretGrantSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.secrets.grants.create(input))),

  deleteGrant: procedure
    .rest("DELETE /secrets/{key}/grants/{id}", "Let a command use a secret no longer", { errorStatuses: [404] })
    .input(deleteSecretGrantInput)
    .output(dataOf(z.object({ deleted: z.literal(true) })))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.secrets.grants.delete(input))),

  /** Also with the key of the hooks, for what people have allowed. */
  use: userOrKeyProcedure<{ readonly secrets: SecretService }>("hooks")
    .tagged("Secrets")
    .rest("POST /hooks/secrets", "Get the values that a command may use; each use is recorded", {
      errorStatuses: [403, 503],
    })
    .input(useSecretsInput)
    .output(dataOf(z.array(revealedSecretSchema)))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.secrets.grants.use(input))),
};
