import * as z from "zod";
import { timestamp } from "../../platform/procedures/response.ts";
import { sessionTurnSchema } from "../transcripts/session-transcript.schema.ts";

export const searchSessionsInput = z.object({
  query: z.string().trim().min(1, "is required").max(1000, "must be at most 1,000 characters"),
  projectPath: z.string().optional().meta({
    description:
      "Sessions of this project, given by a folder of it, the URL of its repository, or its name, whose last part suffices if no other project has it",
  }),
  sessionId: z.string().optional().meta({ description: "Only this session" }),
  limit: z.number().int().min(1).max(50).default(10),
});
export type SearchSessions = z.infer<typeof searchSessionsInput>;

/** A turn that was found. */
export const foundTurnSchema = sessionTurnSchema
  .pick({ position: true, kind: true, toolName: true })
  .extend({
    sessionId: z.string(),
    projectPath: z.string().nullable(),
    occurredAt: timestamp.nullable(),
    excerpt: z.string().meta({ description: "The part of the turn that has most of the query's words" }),
  })
  .meta({ id: "FoundTurn" });
export type FoundTurn = z.infer<typeof foundTurnSchema>;
