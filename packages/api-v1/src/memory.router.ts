import {
  asData,
  dataOf,
  keyProcedure,
  memoryChunkSchema,
  router,
  searchMemoryInput,
  storeMemoryInput,
} from "@workspace/core";
import * as z from "zod";

const tags = ["Memory"];

export const memoryRouter = router({
  search: keyProcedure("memory:read")
    .meta({
      openapi: {
        method: "GET",
        path: "/memory/search",
        summary: "Search memories, best match first",
        tags,
        errorStatuses: [403],
      },
      tool: {
        name: "memory_search",
        description: "Search what was learned in earlier sessions: decisions, facts, solutions, patterns, preferences.",
      },
    })
    .input(searchMemoryInput)
    .output(dataOf(z.array(memoryChunkSchema)))
    .query(({ ctx, input }) => asData(ctx.services.memory.search(input))),

  store: keyProcedure("memory:write")
    .meta({
      openapi: {
        method: "POST",
        path: "/memory",
        summary: "Store a memory",
        tags,
        successStatus: 201,
        errorStatuses: [403],
      },
      tool: { name: "memory_store", description: "Remember something for later sessions." },
    })
    .input(storeMemoryInput)
    .output(dataOf(memoryChunkSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.memory.store(input))),
});
