import * as z from "zod";
import { listInput } from "../platform/paging.ts";
import type { UserPrincipal } from "../platform/principal.ts";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
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

const tags = ["Secrets"];
const actorOf = (principal: UserPrincipal) => `user:${principal.userId}`;

export const secretRouter = router({
  list: userProcedure
    .meta({ openapi: { method: "GET", path: "/secrets", summary: "List secrets without their values", tags } })
    .input(listInput)
    .output(pageOf(secretSchema))
    .query(({ ctx, input }) => asPage(ctx.services.secrets.list(input))),

  create: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/secrets",
        summary: "Store a secret",
        tags,
        successStatus: 201,
        errorStatuses: [409, 503],
      },
    })
    .input(createSecretInput)
    .output(dataOf(secretSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.secrets.create(input, actorOf(ctx.principal)))),

  rotate: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/secrets/rotate",
        summary: "Encrypt all secrets with a new key",
        tags,
        errorStatuses: [409],
      },
    })
    .output(dataOf(secretRotationSchema))
    .mutation(({ ctx }) => asData(ctx.services.secrets.rotate(actorOf(ctx.principal)))),

  reveal: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/secrets/{key}",
        summary: "Get a secret's value; the access is recorded",
        tags,
        errorStatuses: [404, 503],
      },
    })
    .input(byKeyInput)
    .output(dataOf(revealedSecretSchema))
    .query(({ ctx, input }) => asData(ctx.services.secrets.reveal(input.key, actorOf(ctx.principal)))),

  update: userProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/secrets/{key}",
        summary: "Change the value or the description",
        tags,
        errorStatuses: [404, 503],
      },
    })
    .input(updateSecretInput)
    .output(dataOf(secretSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.secrets.update(input, actorOf(ctx.principal)))),

  delete: userProcedure
    .meta({
      openapi: {
        method: "DELETE",
        path: "/secrets/{key}",
        summary: "Delete a secret for good",
        tags,
        errorStatuses: [404],
      },
    })
    .input(byKeyInput)
    .output(dataOf(z.object({ deleted: z.literal(true) })))
    .mutation(({ ctx, input }) => asData(ctx.services.secrets.delete(input.key, actorOf(ctx.principal)))),

  listAccesses: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/secrets/{key}/accesses",
        summary: "Who did what with a secret, newest first",
        tags,
      },
    })
    .input(listSecretAccessesInput)
    .output(pageOf(secretAccessSchema))
    .query(({ ctx, input }) => asPage(ctx.services.secrets.listAccesses(input))),
});
