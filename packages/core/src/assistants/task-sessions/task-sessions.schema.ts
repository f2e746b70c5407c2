import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";

export const taskSessionSchema = z
  .object({
    sessionId: z.string(),
    namedAt: timestamp.meta({ description: "When it first named the task, or claimed it" }),
    prompt: z.string().nullable().meta({ description: "The beginning of what it was asked first" }),
    projectDir: z.string().nullable(),
    startedAt: timestamp.nullable(),
    lastEventAt: timestamp.nullable(),
    hasEnded: z.boolean(),
    costUsd: z.number().nullable().meta({ description: "Of all of the session; null if it is not known" }),
    totalTokens: z.number(),
    fileCount: z.number().int().meta({ description: "How many files it changed" }),
    files: z.array(z.string()).meta({ description: "The ten that it changed last" }),
    commits: z
      .array(z.object({ subject: z.string().nullable(), committedAt: timestamp }))
      .meta({ description: "The last ten; `subject` is null if the command does not show the message" }),
    memoryCount: z.number().int().meta({ description: "What was learnt in it" }),
    link: z.string().meta({ description: "Its page, from the server's address" }),
  })
  .meta({ id: "TaskSession" });
export type TaskSession = z.infer<typeof taskSessionSchema>;
