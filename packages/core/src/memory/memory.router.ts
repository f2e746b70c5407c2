import * as z from "zod";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userOrKeyProcedure } from "../platform/trpc.ts";
import {
  extractedMemorySchema,
  extractMemoryInput,
  listMemoryInput,
  memoryChunkSchema,
  memoryContextInput,
  memoryContextSchema,
  memoryRecallSchema,
  mergeMemoryInput,
  recallMemoryInput,
  searchMemoryInput,
  selectMemoryInput,
  storeMemoryInput,
  updateMemoryInput,
} from "./memory.schema.ts";

const tags = ["Memory"];
const procedure = userOrKeyProcedure("hooks");
const byId = z.object({ id: z.string().min(1, "is required") });

export const memoryRouter = router({
  search: procedure
    .meta({ openapi: { method: "GET", path: "/memory/search", summary: "Search memories, best match first", tags } })
    .input(searchMemoryInput)
    .output(dataOf(z.array(memoryChunkSchema)))
    .query(({ ctx, input }) => asData(ctx.services.memory.search(input))),

  context: procedure
    .meta({
      openapi: { method: "GET", path: "/memory/context", summary: "Get what a new session should know", tags },
    })
    .input(memoryContextInput)
    .output(dataOf(memoryContextSchema))
    .query(({ ctx, input }) => asData(ctx.services.memory.context(input))),

  store: procedure
    .meta({
      openapi: { method: "POST", path: "/memory/store", summary: "Store a memory", tags, successStatus: 201 },
    })
    .input(storeMemoryInput)
    .output(dataOf(memoryChunkSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.memory.store(input))),

  extract: procedure
    .meta({
      openapi: {
        method: "POST",
        path: "/memory/extract",
        summary: "Take memories out of a transcript; doing it again adds nothing",
        tags,
        bodyLimit: "content",
        errorStatuses: [402, 403, 404, 413, 502, 503],
      },
    })
    .input(extractMemoryInput)
    .output(extractedMemorySchema)
    .mutation(({ ctx, input }) => ctx.services.memoryExtraction.extract(input)),

  list: procedure
    .meta({ openapi: { method: "GET", path: "/memory", summary: "List memories, newest first", tags } })
    .input(listMemoryInput)
    .output(pageOf(memoryChunkSchema))
    .query(({ ctx, input }) => asPage(ctx.services.memory.list(input))),

  merge: procedure
    .meta({
      openapi: {
        method: "POST",
        path: "/memory/merge",
        summary: "Let one memory stand for several",
        tags,
        errorStatuses: [404],
      },
    })
    .input(mergeMemoryInput)
    .output(dataOf(memoryChunkSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.memory.merge(input))),

  deleteMany: procedure
    .meta({ openapi: { method: "POST", path: "/memory/delete", summary: "Delete several memories", tags } })
    .input(selectMemoryInput)
    .output(dataOf(z.object({ deletedIds: z.array(z.string()) })))
    .mutation(({ ctx, input }) => asData(ctx.services.memory.deleteMany(input.ids))),

  restore: procedure
    .meta({ openapi: { method: "POST", path: "/memory/restore", summary: "Bring deleted memories back", tags } })
    .input(selectMemoryInput)
    .output(dataOf(z.object({ restoredIds: z.array(z.string()) })))
    .mutation(({ ctx, input }) => asData(ctx.services.memory.restore(input.ids))),

  get: procedure
    .meta({ openapi: { method: "GET", path: "/memory/{id}", summary: "Get one memory", tags, errorStatuses: [404] } })
    .input(byId)
    .output(dataOf(memoryChunkSchema))
    .query(({ ctx, input }) => asData(ctx.services.memory.get(input.id))),

  update: procedure
    .meta({
      openapi: { method: "PUT", path: "/memory/{id}", summary: "Change the given fields", tags, errorStatuses: [404] },
    })
    .input(updateMemoryInput)
    .output(dataOf(memoryChunkSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.memory.update(input))),

  delete: procedure
    .meta({
      openapi: { method: "DELETE", path: "/memory/{id}", summary: "Delete a memory", tags, errorStatuses: [404] },
    })
    .input(byId)
    .output(dataOf(z.object({ success: z.literal(true) })))
    .mutation(({ ctx, input }) => asData(ctx.services.memory.delete(input.id))),

  explainRecall: procedure
    .meta({
      openapi: {
        method: "GET",
        path: "/memory/{id}/recall",
        summary: "Why a memory does or does not come with a project's context",
        tags,
        errorStatuses: [404],
      },
    })
    .input(recallMemoryInput)
    .output(dataOf(memoryRecallSchema))
    .query(({ ctx, input }) => asData(ctx.services.memory.explainRecall(input))),
});
