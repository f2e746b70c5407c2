import * as z from "zod";
import { documentSchema } from "../documents/document.schema.ts";

export const knowledgeFileSchema = documentSchema.pick({
  path: true,
  title: true,
  fileType: true,
  size: true,
  modifiedAt: true,
});
export type KnowledgeFile = z.infer<typeof knowledgeFileSchema>;

export const getKnowledgeInput = z.object({ path: z.string().min(1, "is required") });

export const openKnowledgeFileSchema = knowledgeFileSchema.extend({
  content: z.string().meta({ description: "The whole file" }),
  encoding: z.enum(["utf-8", "base64"]).meta({ description: "base64 where the file is no text" }),
});
export type OpenKnowledgeFile = z.infer<typeof openKnowledgeFileSchema>;
