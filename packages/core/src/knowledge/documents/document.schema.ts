import * as z from "zod";
import { pagingInput } from "../../platform/paging.ts";
import { authorSchema } from "../../platform/procedures/author.ts";
import { documentSchema, documentVersionSchema, SHARE_TYPES } from "../file-records/document-record.schema.ts";
import { expectedHash } from "../file-system/vault.schema.ts";
import { FILE_TYPES } from "../markdown/file-type.ts";

const MAX_CONTENT_CHARACTERS = 64 * 1024 * 1024;

const fileType = z.enum(FILE_TYPES);
const shareType = z.enum(SHARE_TYPES);
const title = z.string().trim().min(1, "must not be empty").max(500, "must be at most 500 characters");
const tags = z.array(z.string().max(100, "must be at most 100 characters")).max(100, "must contain at most 100 tags");
const content = z.string().max(MAX_CONTENT_CHARACTERS);

/** A document with the content of its file. */
export const openDocumentSchema = z
  .object({
    document: documentSchema,
    metadata: z.record(z.string(), z.unknown()).meta({ description: "The fields of the frontmatter, for Markdown" }),
    body: z.string().meta({ description: "Without frontmatter; empty for a binary file" }),
    author: authorSchema
      .nullable()
      .meta({ description: "Who wrote the content; null if another program did, or before authors were recorded" }),
  })
  .meta({ id: "OpenDocument" });
export type OpenDocument = z.infer<typeof openDocumentSchema>;

export const listDocumentsInput = z.object({
  includeDeleted: z.boolean().optional().meta({ description: "Whether to include deleted documents" }),
  onlyDeleted: z.boolean().optional().meta({ description: "Only deleted documents" }),
  projectId: z.string().optional().meta({ description: "Only documents of this project" }),
  fileType: fileType.optional(),
  search: z.string().optional().meta({ description: "Part of the title, text or path; case-insensitive" }),
  tag: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: "Only those with this tag or one nested in it, in frontmatter or text; case-insensitive" }),
  ...pagingInput,
});
export type ListDocuments = z.infer<typeof listDocumentsInput>;

export const restoreDocumentInput = z.object({
  id: z.string(),
  path: z.string().min(1, "must not be empty").optional().meta({
    description: "Where its file is restored, with the same extension; by default where it was",
  }),
});

export const byPathInput = z.object({
  path: z.string().min(1, "is required").meta({ description: "Relative to the vault's root" }),
});

const fieldName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((name) => name !== "title" && name !== "tags", "title and tags have their own fields");
const fieldText = z.string().max(10_000);
const fields = z
  .record(fieldName, z.union([fieldText, z.number(), z.boolean(), z.array(fieldText).max(100), z.null()]))
  .meta({ description: "Other fields of a Markdown file's frontmatter; null removes one" });

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

/** The public part of a shared document. */
export const publicDocumentSchema = z
  .object({
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
    content: z
      .string()
      .nullable()
      .meta({ description: "Markdown without frontmatter, or text; null for a binary file" }),
    isOwner: z.boolean(),
  })
  .meta({ id: "PublicDocument" });
export type PublicDocument = z.infer<typeof publicDocumentSchema>;

export const searchDocumentsInput = z.object({
  query: z.string().max(200, "must be at most 200 characters").meta({ description: "The words to search for" }),
  limit: z.number().int().min(1).max(100).optional().meta({ description: "The maximum number of results" }),
});
export type SearchDocuments = z.infer<typeof searchDocumentsInput>;

export const documentHitSchema = documentSchema
  .pick({ id: true, title: true, path: true, fileType: true, modifiedAt: true })
  .extend({
    excerpt: z
      .string()
      .nullable()
      .meta({ description: "The text around the first match; null if the match is not in the text" }),
  })
  .meta({ id: "DocumentHit" });
export type DocumentHit = z.infer<typeof documentHitSchema>;

export const mirrorStatusSchema = z
  .object({
    isLeader: z.boolean().meta({ description: "Whether this server process is the one that mirrors" }),
    suspendedFor: z.string().nullable().meta({ description: "Why nothing is mirrored; null while everything is fine" }),
    files: z
      .number()
      .nullable()
      .meta({ description: "The number of files found by this process's last full comparison" }),
    progress: z.object({ done: z.number(), total: z.number() }).nullable(),
    unindexed: z.number().meta({ description: "The number of texts waiting to be indexed" }),
  })
  .meta({ id: "MirrorStatus" });

export const tagCountSchema = z.object({
  tag: z.string(),
  count: z.number().int().meta({ description: "How many documents have it, in frontmatter or text" }),
});
export type TagCount = z.infer<typeof tagCountSchema>;

const linkedDocument = documentSchema.pick({ id: true, title: true, path: true });

export const documentLinksSchema = z
  .object({
    links: z.array(
      z.object({
        target: z.string().meta({ description: "As written in the text" }),
        document: linkedDocument.nullable().meta({ description: "The linked document; null if there is none" }),
      }),
    ),
    backlinks: z.array(linkedDocument),
  })
  .meta({ id: "DocumentLinks" });
export type DocumentLinks = z.infer<typeof documentLinksSchema>;

/** A note that mentions a document without linking to it. */
export const documentMentionSchema = linkedDocument
  .extend({
    count: z.number().meta({ description: "How often it mentions the document" }),
    excerpt: z.string().meta({ description: "The text around the first mention" }),
  })
  .meta({ id: "DocumentMention" });
export type DocumentMention = z.infer<typeof documentMentionSchema>;

export const mentionInput = z.object({ id: z.string(), sourceId: z.string() });
export const linkedMentionsSchema = z.object({
  id: z.string().meta({ description: "Of the note" }),
  links: z.number().meta({ description: "How many mentions are links now" }),
});
export type LinkedMentions = z.infer<typeof linkedMentionsSchema>;

export const openVersionSchema = documentVersionSchema.extend({
  content: z.string().nullable().meta({ description: "The whole file; null if it is not text" }),
});
export type OpenVersion = z.infer<typeof openVersionSchema>;

export const versionInput = z.object({ id: z.string(), versionId: z.string() });
export const restoreVersionInput = versionInput.extend({ expectedHash });
export type RestoreVersion = z.infer<typeof restoreVersionInput>;
