import * as z from "zod";
import { authorOf } from "../../platform/procedures/author.ts";
import { publicProcedure, userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import { documentSchema, documentVersionSchema } from "../file-records/document-record.schema.ts";
import type { VaultMirror } from "../mirror/vault-mirror.ts";
import { documentGraphSchema, graphInput } from "./document-graph.schema.ts";
import type { DocumentGraphService } from "./document-graph.service.ts";
import type { DocumentMentionService } from "./document-mention.service.ts";
import type { DocumentSearchService } from "./document-search.service.ts";
import type { DocumentSharingService } from "./document-sharing.service.ts";
import type { DocumentVersionService } from "./document-version.service.ts";
import {
  byPathInput,
  deleteDocumentInput,
  documentHitSchema,
  documentLinksSchema,
  documentMentionSchema,
  linkedMentionsSchema,
  listDocumentsInput,
  mentionInput,
  mirrorStatusSchema,
  openDocumentSchema,
  openVersionSchema,
  publicDocumentSchema,
  removedDocumentSchema,
  restoredDocumentSchema,
  restoreDocumentInput,
  restoreVersionInput,
  searchDocumentsInput,
  shareDocumentInput,
  tagCountSchema,
  updateDocumentInput,
  versionInput,
} from "./document.schema.ts";
import type { DocumentService } from "./document.service.ts";
import { folderOf } from "./key-folder.ts";

interface DocumentServices {
  readonly vaultMirror: VaultMirror;
  readonly documents: DocumentService;
  readonly documentGraph: DocumentGraphService;
  readonly documentMentions: DocumentMentionService;
  readonly documentSearch: DocumentSearchService;
  readonly documentSharing: DocumentSharingService;
  readonly documentVersions: DocumentVersionService;
}

const byId = z.object({ id: z.string() });
const entityTagAt = ["data", "document", "contentHash"];

const procedure = userProcedure<DocumentServices>().tagged("Documents");

export const documentRouter = {
  list: procedure
    .rest("GET /documents", "List documents, most recently changed first")
    .input(listDocumentsInput)
    .output(pageOf(documentSchema))
    .query(({ ctx, input }) => asPage(ctx.services.documents.list(input))),

  tags: procedure
    .rest("GET /documents/tags", "List the tags of documents, at most 5,000, in alphabetical order")
    .output(dataOf(z.array(tagCountSchema)))
    .query(({ ctx }) => asData(ctx.services.documents.tags())),

  search: procedure
    .rest("GET /documents/search", "Search documents, best matches first")
    .input(searchDocumentsInput)
    .output(dataOf(z.array(documentHitSchema)))
    .v1("knowledge:read")
    .tool("Search notes and files by text, title or path, best matches first, with excerpts.", {
      name: "notes_search",
      allows: "Search the notes.",
    })
    .query(({ ctx, input }) => asData(ctx.services.documentSearch.search(input, folderOf(ctx.principal)))),

  mirrorStatus: procedure
    .rest("GET /documents/mirror", "Get the status of the mirror, which keeps documents in sync with files")
    .output(dataOf(mirrorStatusSchema))
    .query(({ ctx }) => ({ data: ctx.services.vaultMirror.status })),

  acceptEmptiedVault: procedure
    .rest("POST /documents/mirror/accept", "Accept the vault although none of the known files is in it")
    .output(dataOf(z.object({ accepted: z.literal(true) })))
    .mutation("destroys", async ({ ctx }) => {
      await ctx.services.vaultMirror.acceptEmptied();
      return { data: { accepted: true as const } };
    }),

  byPath: procedure
    .rest("POST /documents/by-path", "Open the document of a file", { errorStatuses: [403, 404, 413], entityTagAt })
    .input(byPathInput)
    .output(dataOf(openDocumentSchema))
    .mutation("writes", ({ ctx, input }) =>
      asData(ctx.services.documents.openByPath(input.path, ctx.principal.userId)),
    ),

  get: procedure
    .rest("GET /documents/{id}", "Open a document", { errorStatuses: [404, 413], entityTagAt })
    .input(byId)
    .output(dataOf(openDocumentSchema))
    .query(({ ctx, input }) => asData(ctx.services.documents.open(input.id))),

  update: procedure
    .rest("PUT /documents/{id}", "Update the given fields", {
      errorStatuses: [404, 409, 412, 413, 507],
      bodyLimit: "content",
      entityTagAt,
      takesIfMatch: "expectedHash",
    })
    .input(updateDocumentInput)
    .output(dataOf(openDocumentSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.documents.update(input, authorOf(ctx)))),

  setSharing: procedure
    .rest("PUT /documents/{id}/sharing", "Share a document of any type, or stop sharing it", { errorStatuses: [404] })
    .input(shareDocumentInput)
    .output(dataOf(documentSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.documentSharing.setSharing(input))),

  delete: procedure
    .rest("DELETE /documents/{id}", "Delete a document; its file goes to the trash", {
      errorStatuses: [404, 412],
      takesIfMatch: "expectedHash",
    })
    .input(deleteDocumentInput)
    .output(dataOf(removedDocumentSchema))
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.documents.delete(input.id, input.expectedHash))),

  restore: procedure
    .rest("POST /documents/{id}/restore", "Restore a deleted document and its file", {
      errorStatuses: [403, 404, 409, 507],
      hasOptionalBody: true,
    })
    .input(restoreDocumentInput)
    .output(dataOf(restoredDocumentSchema))
    .tool("Restore a deleted document by its id.", { allows: "Restore deleted documents." })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.documents.restore(input.id, input.path))),

  public: publicProcedure<DocumentServices>()
    .tagged("Documents")
    .rest("GET /documents/{id}/public", "Read a shared document, without signing in", {
      errorStatuses: [403, 404, 413],
    })
    .input(byId)
    .output(dataOf(publicDocumentSchema))
    .query(({ ctx, input }) => asData(ctx.services.documentSharing.open(input.id, ctx.principal))),

  links: procedure
    .rest("GET /documents/{id}/links", "List the links and backlinks of a document", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(documentLinksSchema))
    .query(({ ctx, input }) => asData(ctx.services.documentSearch.links(input.id))),

  graph: procedure
    .rest("GET /documents/{id}/graph", "List what is linked around a document", { errorStatuses: [404] })
    .input(graphInput)
    .output(dataOf(documentGraphSchema))
    .query(({ ctx, input }) => asData(ctx.services.documentGraph.around(input))),

  mentions: procedure
    .rest("GET /documents/{id}/mentions", "List notes that mention a document without linking to it", {
      errorStatuses: [404],
    })
    .input(byId)
    .output(dataOf(z.array(documentMentionSchema)))
    .query(({ ctx, input }) => asData(ctx.services.documentMentions.list(input.id))),

  linkMentions: procedure
    .rest("POST /documents/{id}/mentions/{sourceId}/link", "Make the mentions of a document in a note links to it", {
      errorStatuses: [403, 404, 409, 413, 507],
    })
    .input(mentionInput)
    .output(dataOf(linkedMentionsSchema))
    .mutation("destroys", ({ ctx, input }) =>
      asData(ctx.services.documentMentions.link(input.id, input.sourceId, authorOf(ctx))),
    ),

  versions: procedure
    .rest("GET /documents/{id}/versions", "List earlier versions, newest first", { errorStatuses: [404] })
    .input(byId)
    .output(dataOf(z.array(documentVersionSchema)))
    .query(({ ctx, input }) => asData(ctx.services.documentVersions.list(input.id))),

  version: procedure
    .rest("GET /documents/{id}/versions/{versionId}", "Read an earlier version", { errorStatuses: [404, 413] })
    .input(versionInput)
    .output(dataOf(openVersionSchema))
    .query(({ ctx, input }) => asData(ctx.services.documentVersions.open(input.id, input.versionId))),

  restoreVersion: procedure
    .rest("POST /documents/{id}/versions/{versionId}/restore", "Restore an earlier version of a document", {
      errorStatuses: [404, 409, 412, 507],
      entityTagAt,
      takesIfMatch: "expectedHash",
    })
    .input(restoreVersionInput)
    .output(dataOf(openDocumentSchema))
    .mutation("destroys", async ({ ctx, input }) => {
      await ctx.services.documentVersions.restore(input, authorOf(ctx));
      return asData(ctx.services.documents.open(input.id));
    }),
};
