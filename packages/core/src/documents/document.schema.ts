import * as z from "zod";
import { pagingInput } from "../platform/paging.ts";
import { timestamp } from "../platform/response.ts";
import { projectRefSchema } from "../projects/project.schema.ts";
import { expectedHash } from "../vault/vault.schema.ts";
import { FILE_TYPES } from "./file-type.ts";

const MAX_CONTENT_CHARACTERS = 64 * 1024 * 1024;

export const SHARE_TYPES = ["public", "private"] as const;
export type ShareType = (typeof SHARE_TYPES)[number];

const fileType = z.enum(FILE_TYPES);
const shareType = z.enum(SHARE_TYPES);
const title = z.string().trim().min(1, "must not be empty").max(500, "must be at most 500 characters");
const tags = z.array(z.string().max(100, "must be at most 100 characters")).max(100, "must hold at most 100 tags");
const content = z.string().max(MAX_CONTENT_CHARACTERS);

export const documentSchema = z.object({
  id: z.string(),
  title: z.string(),
  path: z.string(),
  fileType,
  shared: z.boolean(),
  shareType: shareType.nullable(),
  tags: z.array(z.string()),
  projectId: z.string().nullable(),
  project: projectRefSchema.nullable(),
  size: z.number().meta({ description: "Bytes" }),
  contentHash: z.string().meta({ description: "SHA-256 of the file, lower-case hex; of very large files, of samples" }),
  createdAt: timestamp,
  modifiedAt: timestamp,
  deletedAt: timestamp.nullable(),
});
export type Document = z.infer<typeof documentSchema>;

/** A document with what is in its file. */
export const openDocumentSchema = z.object({
  document: documentSchema,
  metadata: z.record(z.string(), z.unknown()).meta({ description: "The frontmatter's fields, of Markdown" }),
  body: z.string().meta({ description: "Without frontmatter; empty for a binary file" }),
});
export type OpenDocument = z.infer<typeof openDocumentSchema>;

export const listDocumentsInput = z.object({
  includeDeleted: z.boolean().optional(),
  projectId: z.string().optional(),
  fileType: fileType.optional(),
  search: z.string().optional(),
  ...pagingInput,
});
export type ListDocuments = z.infer<typeof listDocumentsInput>;

export const byPathInput = z.object({ path: z.string().min(1, "is required") });

const fieldName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => name !== "title" && name !== "tags", "title and tags are changed by their own fields");
const fieldText = z.string().max(10_000);
const fields = z
  .record(fieldName, z.union([fieldText, z.number(), z.boolean(), z.array(fieldText).max(100), z.null()]))
  .meta({ description: "Other fields of a Markdown file's frontmatter; null takes one out" });

export const updateDocumentInput = z.object({
  id: z.string(),
  title: title.optional(),
  tags: tags.optional(),
  fields: fields.optional(),
  projectId: z.string().nullish(),
  shared: z.boolean().optional(),
  shareType: shareType.nullish(),
  body: content.optional(),
  expectedHash,
});
export type UpdateDocument = z.infer<typeof updateDocumentInput>;

export const shareDocumentInput = z.object({ id: z.string(), shared: z.boolean(), shareType: shareType.nullish() });
export type ShareDocument = z.infer<typeof shareDocumentInput>;

export const deleteDocumentInput = z.object({ id: z.string(), expectedHash });

export const removedDocumentSchema = z.object({ id: z.string(), deleted: z.literal(true) });

export const restoredDocumentSchema = documentSchema.pick({ id: true, title: true, deletedAt: true });

/** What everyone may see of a shared document. */
export const publicDocumentSchema = z.object({
  document: documentSchema
    .pick({
      id: true,
      title: true,
      path: true,
      fileType: true,
      shared: true,
      shareType: true,
      tags: true,
      createdAt: true,
      modifiedAt: true,
    })
    .extend({ creatorName: z.string() }),
  content: z.string().nullable().meta({ description: "Markdown without frontmatter, or text; null for a binary file" }),
  isOwner: z.boolean(),
});
export type PublicDocument = z.infer<typeof publicDocumentSchema>;

export const searchDocumentsInput = z.object({
  query: z.string().max(200, "must be at most 200 characters"),
  limit: z.number().int().min(1).max(100).optional(),
});

export const documentHitSchema = documentSchema
  .pick({ id: true, title: true, path: true, fileType: true, modifiedAt: true })
  .extend({
    excerpt: z
      .string()
      .nullable()
      .meta({ description: "The content around the first match; null for a match elsewhere" }),
  });
export type DocumentHit = z.infer<typeof documentHitSchema>;

export const mirrorStatusSchema = z.object({
  isLeader: z.boolean().meta({ description: "Whether this server process mirrors; another one may" }),
  suspendedFor: z.string().nullable().meta({ description: "Why nothing is mirrored; null while all is well" }),
  files: z.number().nullable().meta({ description: "Files found by the last full comparison of this process" }),
  progress: z.object({ done: z.number(), total: z.number() }).nullable(),
  unindexed: z.number().meta({ description: "Texts that wait to be found by searches" }),
});

const linkedDocument = documentSchema.pick({ id: true, title: true, path: true });

export const documentLinksSchema = z.object({
  links: z.array(
    z.object({
      target: z.string().meta({ description: "As it is written" }),
      document: linkedDocument.nullable().meta({ description: "What it means; null for nothing yet" }),
    }),
  ),
  backlinks: z.array(linkedDocument),
});
export type DocumentLinks = z.infer<typeof documentLinksSchema>;

export const documentVersionSchema = z.object({
  id: z.string(),
  documentId: z.string(),
  path: z.string(),
  size: z.number(),
  contentHash: z.string(),
  createdAt: timestamp.meta({ description: "When the document got this content" }),
});
export type DocumentVersion = z.infer<typeof documentVersionSchema>;

export const openVersionSchema = documentVersionSchema.extend({
  content: z.string().nullable().meta({ description: "The whole file; null where it is not text" }),
});
export type OpenVersion = z.infer<typeof openVersionSchema>;

export const versionInput = z.object({ id: z.string(), versionId: z.string() });
export const restoreVersionInput = versionInput.extend({ expectedHash });
