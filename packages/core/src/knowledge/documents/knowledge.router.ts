import { listInput } from "../../platform/paging.ts";
import { keyProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  getKnowledgeInput,
  knowledgeFileSchema,
  listForModelsInput,
  openKnowledgeFileSchema,
} from "./knowledge.schema.ts";
import type { KnowledgeService } from "./knowledge.service.ts";

const procedure = keyProcedure<{ readonly knowledge: KnowledgeService }>("knowledge:read").tagged("Knowledge");

/** Read access to the vault for programs. Users have `documents` and `fs`. */
export const knowledgeRouter = {
  list: procedure
    .rest("GET /knowledge", "List the files of the vault, most recently changed first")
    .input(listInput)
    .output(pageOf(knowledgeFileSchema))
    .v1("knowledge:read", { toolInput: listForModelsInput })
    .tool("List the user's notes and files with their paths and titles, a page at a time.")
    .query(({ ctx, input }) => asPage(ctx.services.knowledge.list(input, ctx.principal))),

  get: procedure
    .rest("GET /knowledge/{path}", "Get a file; slashes may be encoded as %2F", {
      endsInPath: true,
      errorStatuses: [404, 413],
    })
    .input(getKnowledgeInput)
    .output(dataOf(openKnowledgeFileSchema))
    .tool(
      "Read a whole note or file by its path, as returned by knowledge_list. notes_read returns parts of long notes.",
    )
    .query(({ ctx, input }) => asData(ctx.services.knowledge.get(input.path, ctx.principal))),
};
