import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";
import { memoryChunkSchema } from "../memory/memory.schema.ts";
import { SESSION_ROLES } from "./session-ranking.ts";

export const whyInput = z.object({
  path: z.string().min(1, "is required").max(4096, "must be at most 4,096 characters").meta({
    description:
      "The file: its absolute path or `file:` URL, or its path from projectPath, if that is a folder, otherwise from the root of the project",
  }),
  lines: z
    .string()
    .max(50_000, "must be at most 50,000 characters")
    .optional()
    .meta({ description: "The text of the lines, as it is now; without it, the sessions that changed the file last" }),
  projectPath: z
    .string()
    .max(4096, "must be at most 4,096 characters")
    .optional()
    .meta({ description: "The project's folder or git remote; without a known one, any project with such a file" }),
  limit: z.number().int().min(1).max(20).default(5).meta({ description: "The maximum number of sessions" }),
});
export type Why = z.infer<typeof whyInput>;

const whyMemorySchema = memoryChunkSchema
  .pick({ id: true, sessionId: true, chunkType: true, sourceTurn: true, createdAt: true })
  .extend({
    content: z.string().meta({ description: "Its first 1,000 characters" }),
    citesFile: z.boolean().meta({ description: "Whether it rests on the file" }),
  })
  .meta({ id: "WhyMemory" });
export type WhyMemory = z.infer<typeof whyMemorySchema>;

const whySessionSchema = z
  .object({
    sessionId: z.string(),
    role: z.enum(SESSION_ROLES).meta({
      description:
        "wrote: the lines as they are now go back to it; wrote_before: others wrote them again since; wrote_elsewhere: it wrote them in another file; changed_file: it wrote none of them",
    }),
    lines: z.number().int().meta({ description: "How many of the lines it has that role for" }),
    touchedAt: timestamp.meta({ description: "When it wrote them, otherwise when it changed the file" }),
    prompt: z
      .object({ text: z.string(), askedAt: timestamp.nullable() })
      .nullable()
      .meta({ description: "What the session had been asked last when it wrote them" }),
    turn: z.number().int().nullable().meta({ description: "The position in its transcript, if that is kept" }),
    link: z.string().meta({ description: "The page of the session at that turn, from the server's address" }),
    memories: z.array(whyMemorySchema).meta({ description: "What was learnt in the session" }),
  })
  .meta({ id: "WhySession" });

export const whySchema = z
  .object({
    path: z.string().meta({ description: "From the root of the project, if that is known" }),
    projectPath: z.string().nullable(),
    lines: z.number().int().meta({
      description: "How many of the lines were compared: those with enough text to be recognised, at most 200",
    }),
    sessions: z.array(whySessionSchema).meta({ description: "The most decisive first" }),
    memories: z.array(whyMemorySchema).meta({ description: "Memories of other sessions that rest on the file" }),
  })
  .meta({ id: "FileWhy" });
export type FileWhy = z.infer<typeof whySchema>;
