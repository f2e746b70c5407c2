import * as z from "zod";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { publicProcedure, router, userProcedure } from "../platform/trpc.ts";
import {
  byPathInput,
  deleteDocumentInput,
  documentHitSchema,
  documentLinksSchema,
  documentSchema,
  documentVersionSchema,
  listDocumentsInput,
  mirrorStatusSchema,
  openDocumentSchema,
  openVersionSchema,
  publicDocumentSchema,
  removedDocumentSchema,
  restoredDocumentSchema,
  restoreVersionInput,
  searchDocumentsInput,
  shareDocumentInput,
  updateDocumentInput,
  versionInput,
} from "./document.schema.ts";

const tags = ["Documents"];
const byId = z.object({ id: z.string() });
const entityTagAt = ["data", "document", "contentHash"];

export const documentRouter = router({
  list: userProcedure
    .meta({ openapi: { method: "GET", path: "/documents", summary: "List documents, newest change first", tags } })
    .input(listDocumentsInput)
    .output(pageOf(documentSchema))
    .query(({ ctx, input }) => asPage(ctx.services.documents.list(input))),

  search: userProcedure
    .meta({
      openapi: { method: "GET", path: "/documents/search", summary: "Find documents, the best matches first", tags },
    })
    .input(searchDocumentsInput)
    .output(dataOf(z.array(documentHitSchema)))
    .query(({ ctx, input }) => asData(ctx.services.documentSearch.search(input.query, input.limit))),

  mirrorStatus: userProcedure
    .meta({
      openapi: { method: "GET", path: "/documents/mirror", summary: "How far documents are in step with files", tags },
    })
    .output(dataOf(mirrorStatusSchema))
    .query(({ ctx }) => ({ data: ctx.services.vaultMirror.status })),

  acceptEmptiedVault: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/documents/mirror/accept",
        summary: "Take the vault as it is, although nothing that was known is in it",
        tags,
      },
    })
    .output(dataOf(z.object({ accepted: z.literal(true) })))
    .mutation(async ({ ctx }) => {
      await ctx.services.vaultMirror.acceptEmptied();
      return { data: { accepted: true as const } };
    }),

  byPath: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/documents/by-path",
        summary: "Open the document of a file",
        tags,
        errorStatuses: [403, 404, 413],
        entityTagAt,
      },
    })
    .input(byPathInput)
    .output(dataOf(openDocumentSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.documents.openByPath(input.path, ctx.principal.userId))),

  get: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/documents/{id}",
        summary: "Open a document",
        tags,
        errorStatuses: [404, 413],
        entityTagAt,
      },
    })
    .input(byId)
    .output(dataOf(openDocumentSchema))
    .query(({ ctx, input }) => asData(ctx.services.documents.open(input.id))),

  update: userProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/documents/{id}",
        summary: "Change the given fields",
        tags,
        errorStatuses: [404, 409, 412, 413, 507],
        bodyLimit: "content",
        entityTagAt,
        takesIfMatch: "expectedHash",
      },
    })
    .input(updateDocumentInput)
    .output(dataOf(openDocumentSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.documents.update(input))),

  setSharing: userProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/documents/{id}/sharing",
        summary: "Share a document of any type, or stop sharing it",
        tags,
        errorStatuses: [404],
      },
    })
    .input(shareDocumentInput)
    .output(dataOf(documentSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.documentSharing.setSharing(input))),

  delete: userProcedure
    .meta({
      openapi: {
        method: "DELETE",
        path: "/documents/{id}",
        summary: "Delete a document; its file goes to the trash",
        tags,
        errorStatuses: [404, 412],
        takesIfMatch: "expectedHash",
      },
    })
    .input(deleteDocumentInput)
    .output(dataOf(removedDocumentSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.documents.delete(input.id, input.expectedHash))),

  restore: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/documents/{id}/restore",
        summary: "Restore a deleted document and its file",
        tags,
        errorStatuses: [404, 409, 507],
      },
    })
    .input(byId)
    .output(dataOf(restoredDocumentSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.documents.restore(input.id))),

  public: publicProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/documents/{id}/public",
        summary: "Read a shared document, without signing in",
        tags,
        errorStatuses: [403, 404, 413],
      },
    })
    .input(byId)
    .output(dataOf(publicDocumentSchema))
    .query(({ ctx, input }) => asData(ctx.services.documentSharing.open(input.id, ctx.principal))),

  links: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/documents/{id}/links",
        summary: "What a document links to, and what links to it",
        tags,
        errorStatuses: [404],
      },
    })
    .input(byId)
    .output(dataOf(documentLinksSchema))
    .query(({ ctx, input }) => asData(ctx.services.documentSearch.links(input.id))),

  versions: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/documents/{id}/versions",
        summary: "List what was overwritten, newest first",
        tags,
        errorStatuses: [404],
      },
    })
    .input(byId)
    .output(dataOf(z.array(documentVersionSchema)))
    .query(({ ctx, input }) => asData(ctx.services.documentVersions.list(input.id))),

  version: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/documents/{id}/versions/{versionId}",
        summary: "Read an earlier version",
        tags,
        errorStatuses: [404, 413],
      },
    })
    .input(versionInput)
    .output(dataOf(openVersionSchema))
    .query(({ ctx, input }) => asData(ctx.services.documentVersions.open(input.id, input.versionId))),

  restoreVersion: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/documents/{id}/versions/{versionId}/restore",
        summary: "Give a document the content of an earlier version",
        tags,
        errorStatuses: [404, 409, 412, 507],
        entityTagAt,
        takesIfMatch: "expectedHash",
      },
    })
    .input(restoreVersionInput)
    .output(dataOf(openDocumentSchema))
    .mutation(async ({ ctx, input }) => {
      await ctx.services.documentVersions.restore(input.id, input.versionId, input.expectedHash);
      return asData(ctx.services.documents.open(input.id));
    }),
});
