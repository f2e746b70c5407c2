import * as z from "zod";
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
