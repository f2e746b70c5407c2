import * as z from "zod";
import { authorSchema } from "../../platform/procedures/author.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { projectRefSchema } from "../../work/projects/project.schema.ts";
import { FILE_TYPES } from "../markdown/file-type.ts";

export const SHARE_TYPES = ["public", "private"] as const;
export type ShareType = (typeof SHARE_TYPES)[number];

/** A document: the record of a file in the vault. */
export const documentSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    path: z.string(),
    fileType: z.enum(FILE_TYPES),
    shared: z.boolean(),
    shareType: z.enum(SHARE_TYPES).nullable(),
    tags: z.array(z.string()),
    textTags: z
      .array(z.string())
      .meta({ description: "Tags in the text of a Markdown file, such as #garden, as first written" }),
    projectId: z.string().nullable(),
    project: projectRefSchema.nullable(),
    size: z.number().meta({ description: "In bytes" }),
    contentHash: z
      .string()
      .meta({ description: "SHA-256 of the file in lower-case hex; for very large files, of samples" }),
    createdAt: timestamp,
    modifiedAt: timestamp,
    deletedAt: timestamp.nullable(),
  })
  .meta({ id: "Document" });
export type Document = z.infer<typeof documentSchema>;

/** An earlier content of a document. */
export const documentVersionSchema = z
  .object({
    id: z.string(),
    documentId: z.string(),
    path: z.string(),
    size: z.number(),
    contentHash: z.string(),
    createdAt: timestamp.meta({ description: "When this content was written" }),
    author: authorSchema
      .nullable()
      .meta({ description: "Who wrote it; null if another program did, or before authors were recorded" }),
  })
  .meta({ id: "DocumentVersion" });
export type DocumentVersion = z.infer<typeof documentVersionSchema>;
