import * as z from "zod";
import { userOrKeyProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  checkCitationsInput,
  checkedCitationsSchema,
  confirmMemoryInput,
  listCitationsInput,
  projectCitationSchema,
} from "./memory-citation.schema.ts";
import type { MemoryExtractionService } from "./memory-extraction.service.ts";
import {
  judgeInjectionInput,
  listInjectionsInput,
  memoryInjectionSchema,
  recordedInjectionsSchema,
  recordInjectionsInput,
} from "./memory-injection.schema.ts";
import { reviewMemoryInput, reviewSettingsSchema, setReviewSettingsInput } from "./memory-review.schema.ts";
import {
  extractedMemorySchema,
  extractMemoryInput,
  listMemoryInput,
  memoryChunkSchema,
  memoryContextInput,
  memoryContextSchema,
  memoryRecallSchema,
  mergeMemoryInput,
  projectMemoriesInput,
  projectMemorySchema,
  recallMemoryInput,
  searchMemoryInput,
  selectMemoryInput,
  storeMemoryInput,
  updateMemoryInput,
} from "./memory.schema.ts";
import type { MemoryService } from "./memory.service.ts";

interface MemoryServices {
  readonly memory: MemoryService;
  readonly memoryExtraction: MemoryExtractionService;
  readonly steering: {
    watch(session: { sessionId: string; waitMs: number }): Promise<{ isSteered: boolean }>;
  };
}

const procedure = userOrKeyProcedure<MemoryServices>("hooks").tagged("Memory");
const byId = z.object({ id: z.string().min(1, "is required") });

/** Programs may change memories that await review, but not in place of a person who reviews them. */
const isReview = (principal: Principal) => principal.kind === "user";

export const memoryRouter = {
  search: procedure
    .rest("GET /memory/search", "Search memories, best match first")
    .input(searchMemoryInput)
    .output(dataOf(z.array(memoryChunkSchema)))
    .v1("memory:read")
    .tool("Search what was learned in earlier sessions: decisions, facts, solutions, patterns, preferences.", {
      allows: "Search the memories of earlier sessions.",
      input: searchMemoryInput.omit({ awaitsReview: true, isUse: true }),
    })
    .query(({ ctx, input }) => asData(ctx.services.memory.search(input))),

  context: procedure
    .rest("GET /memory/context", "Get what a new session should know")
    .input(memoryContextInput)
    .output(dataOf(memoryContextSchema))
    .query(async ({ ctx, input: { sessionId, ...input } }) => {
      const { memory, steering } = ctx.services;
      const context = memory.context(input);
      if (sessionId === undefined) return asData(context);
      const [data, { isSteered }] = await Promise.all([context, steering.watch({ sessionId, waitMs: 0 })]);
      return { data: { ...data, isSteered } };
    }),

  recordInjections: procedure
    .rest("POST /memory/injections", "Record which memories sessions were given; a repeat adds nothing")
    .input(recordInjectionsInput)
    .output(dataOf(recordedInjectionsSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memory.injections.record(input))),

  listInjections: procedure
    .rest("GET /memory/{id}/injections", "List when a memory was given to a session, latest first", {
      errorStatuses: [404],
    })
    .input(listInjectionsInput)
    .output(pageOf(memoryInjectionSchema))
    .query(({ ctx, input }) => asPage(ctx.services.memory.injections.list(input))),

  listForProject: procedure
    .rest("GET /memory/project", "List what sessions in a project may be given, best first")
    .input(projectMemoriesInput)
    .output(dataOf(z.array(projectMemorySchema)))
    .query(({ ctx, input }) => asData(ctx.services.memory.listForProject(input))),

  listCitations: procedure
    .rest("GET /memory/citations", "List what the memories of a project rest on, to be looked for in its files")
    .input(listCitationsInput)
    .output(dataOf(z.array(projectCitationSchema)))
    .query(({ ctx, input }) => asData(ctx.services.memory.citations.list(input))),

  checkCitations: procedure
    .rest(
      "POST /memory/citations/checks",
      "Report whether lines that memories rest on were found; those whose are not are withheld",
    )
    .input(checkCitationsInput)
    .output(dataOf(checkedCitationsSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memory.citations.check(input))),

  confirm: procedure
    .rest(
      "POST /memory/{id}/confirm",
      "Confirm a memory that is withheld because lines that it rests on have changed",
      {
        errorStatuses: [404],
      },
    )
    .input(confirmMemoryInput)
    .output(dataOf(memoryChunkSchema))
    .v1("memory:write")
    .tool(
      "Confirm that a memory still holds although lines that it rests on have changed, so that it is given again.",
      {
        allows: "Confirm memories that are withheld because files have changed.",
      },
    )
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memory.citations.confirm(input))),

  judgeInjection: procedure
    .rest("PUT /memory/{id}/injections", "Say that a memory was not useful to a session, or take it back", {
      errorStatuses: [404],
    })
    .input(judgeInjectionInput)
    .output(dataOf(memoryInjectionSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memory.injections.judge(input))),

  store: procedure
    .rest("POST /memory/store", "Store a memory", { successStatus: 201 })
    .input(storeMemoryInput)
    .output(dataOf(memoryChunkSchema))
    .v1("memory:write", { path: "/memory" })
    .tool("Remember something for later sessions.", {
      allows: "Add memories, which later sessions are told.",
      input: storeMemoryInput.pick({
        content: true,
        chunkType: true,
        projectPath: true,
        citations: true,
        supersedes: true,
      }),
      echoes: true,
    })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memory.store(input))),

  extract: procedure
    .rest("POST /memory/extract", "Extract memories from a transcript; a repeated request adds nothing", {
      bodyLimit: "content",
      errorStatuses: [402, 403, 404, 413, 502, 503],
    })
    .input(extractMemoryInput)
    .output(extractedMemorySchema)
    .mutation("writes", ({ ctx, input }) => ctx.services.memoryExtraction.extract(input)),

  list: procedure
    .rest("GET /memory", "List memories, newest first")
    .input(listMemoryInput)
    .output(pageOf(memoryChunkSchema))
    .query(({ ctx, input }) => asPage(ctx.services.memory.list(input))),

  merge: procedure
    .rest("POST /memory/merge", "Merge memories into one", { errorStatuses: [404] })
    .input(mergeMemoryInput)
    .output(dataOf(memoryChunkSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.memory.merge(input, isReview(ctx.principal)))),

  deleteMany: procedure
    .rest("POST /memory/delete", "Delete several memories")
    .input(selectMemoryInput)
    .output(dataOf(z.object({ deletedIds: z.array(z.string()) })))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.memory.deleteMany(input.ids))),

  restore: procedure
    .rest("POST /memory/restore", "Restore deleted memories")
    .input(selectMemoryInput)
    .output(dataOf(z.object({ restoredIds: z.array(z.string()) })))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memory.restore(input.ids))),

  review: userProcedure<MemoryServices>()
    .tagged("Memory")
    .rest("POST /memory/review", "Keep memories that await review, or have them await it again")
    .input(reviewMemoryInput)
    .output(dataOf(z.object({ changedIds: z.array(z.string()) })))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memory.review.review(input))),

  getReviewSettings: procedure
    .rest("GET /memory/review-settings", "Get after how many days extracted memories are kept without review")
    .output(dataOf(reviewSettingsSchema))
    .query(({ ctx }) => asData(ctx.services.memory.review.getSettings())),

  setReviewSettings: userProcedure<MemoryServices>()
    .tagged("Memory")
    .rest("PUT /memory/review-settings", "Set after how many days extracted memories are kept without review")
    .input(setReviewSettingsInput)
    .output(dataOf(reviewSettingsSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.memory.review.setSettings(input))),

  get: procedure
    .rest("GET /memory/{id}", "Get one memory", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(memoryChunkSchema))
    .query(({ ctx, input }) => asData(ctx.services.memory.get(input.id))),

  update: procedure
    .rest("PUT /memory/{id}", "Update the given fields of a memory", { errorStatuses: [404] })
    .input(updateMemoryInput)
    .output(dataOf(memoryChunkSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.memory.update(input, isReview(ctx.principal)))),

  delete: procedure
    .rest("DELETE /memory/{id}", "Delete a memory", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(z.object({ success: z.literal(true) })))
    .v1("memory:write")
    .tool("Delete a memory. It can be brought back for a while.", {
      allows: "Delete memories. They can be brought back for a while.",
      echoes: true,
    })
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.memory.delete(input.id))),

  explainRecall: procedure
    .rest("GET /memory/{id}/recall", "Explain why a memory is or is not in a project's context", {
      errorStatuses: [404],
    })
    .input(recallMemoryInput)
    .output(dataOf(memoryRecallSchema))
    .query(({ ctx, input }) => asData(ctx.services.memory.explainRecall(input))),
};
