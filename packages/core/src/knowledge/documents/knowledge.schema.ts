import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { documentSchema } from "../file-records/document-record.schema.ts";

export const knowledgeFileSchema = documentSchema
  .pick({
    path: true,
    title: true,
    fileType: true,
    size: true,
    modifiedAt: true,
  })
  .meta({ id: "KnowledgeFile" });
export type KnowledgeFile = z.infer<typeof knowledgeFileSchema>;

/** Models always get pages: a whole vault would not fit into their context. */
export const listForModelsInput = listInput.extend({ limit: z.number().int().min(1).max(200).default(50) });

export const getKnowledgeInput = z.object({
  path: z.string().min(1, "is required").meta({ description: "Relative to the vault's root" }),
});

export const openKnowledgeFileSchema = knowledgeFileSchema
  .extend({
    content: z.string().meta({ description: "The whole file" }),
    encoding: z.enum(["utf-8", "base64"]).meta({ description: "base64 if the file is not text" }),
  })
  .meta({ id: "OpenKnowledgeFile" });
export type OpenKnowledgeFile = z.infer<typeof openKnowledgeFileSchema>;
