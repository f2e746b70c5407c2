import {
  asData,
  asPage,
  dataOf,
  getKnowledgeInput,
  keyProcedure,
  listInput,
  knowledgeFileSchema,
  openKnowledgeFileSchema,
  pageOf,
  router,
} from "@workspace/core";

const tags = ["Knowledge"];

export const knowledgeRouter = router({
  list: keyProcedure("knowledge:read")
    .meta({
      openapi: {
        method: "GET",
        path: "/knowledge",
        summary: "List the files of the vault, newest change first",
        tags,
        errorStatuses: [403],
      },
      tool: { name: "knowledge_list", description: "List the user's notes and files with their paths and titles." },
    })
    .input(listInput)
    .output(pageOf(knowledgeFileSchema))
    .query(({ ctx, input }) => asPage(ctx.services.knowledge.list(input))),

  get: keyProcedure("knowledge:read")
    .meta({
      openapi: {
        method: "GET",
        path: "/knowledge/{path}",
        endsInPath: true,
        summary: "Get one file; slashes as they are or as %2F",
        tags,
        errorStatuses: [403, 404, 413],
      },
      tool: { name: "knowledge_get", description: "Read one note or file by its path, as knowledge_list gives it." },
    })
    .input(getKnowledgeInput)
    .output(dataOf(openKnowledgeFileSchema))
    .query(({ ctx, input }) => asData(ctx.services.knowledge.get(input.path, ctx.principal.userId))),
});
