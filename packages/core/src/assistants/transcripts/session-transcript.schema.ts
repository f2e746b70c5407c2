import * as z from "zod";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

export const TURN_KINDS = ["user", "assistant", "tool_call", "tool_result"] as const;

export const getSessionTranscriptInput = z.object({
  sessionId: z.string(),
  limit: z.number().int().min(1).max(1000).default(200).meta({ description: "The maximum number of turns per page" }),
  from: z.number().int().min(1).max(1_000_000).default(1).meta({ description: "The position of the first turn" }),
  cursor: cursorInput,
});
export type GetSessionTranscript = z.infer<typeof getSessionTranscriptInput>;

export const sessionTurnSchema = z
  .object({
    position: z.number().int().meta({ description: "In the session, from 1" }),
    kind: z.enum(TURN_KINDS).meta({ description: "Who spoke, or what a tool was given and what it returned" }),
    toolName: z.string().nullable(),
    text: z.string().meta({ description: "What was said; the input or output of a tool in short" }),
    hasFailed: z.boolean().meta({ description: "Whether this is the output of a tool that failed" }),
    occurredAt: timestamp.nullable(),
    callId: z
      .string()
      .nullable()
      .meta({ description: "Of a call and of its output: what pairs them, if the assistant has ids" }),
  })
  .meta({ id: "SessionTurn" });
export type SessionTurn = z.infer<typeof sessionTurnSchema>;

/** What is kept of a session's transcript. */
export const keptTranscriptSchema = z.object({
  turnCount: z.number().int(),
  isComplete: z.boolean().meta({ description: "Whether no turn was left out because the session was too long" }),
  updatedAt: timestamp.meta({ description: "When turns were added last" }),
});
export type KeptTranscript = z.infer<typeof keptTranscriptSchema>;

export const sessionTranscriptSchema = keptTranscriptSchema
  .extend({ sessionId: z.string(), turns: z.array(sessionTurnSchema) })
  .meta({ id: "SessionTranscript" });
export type SessionTranscript = z.infer<typeof sessionTranscriptSchema>;

export const sessionTranscriptResponse = z.object({
  data: sessionTranscriptSchema,
  nextCursor: z.string().optional(),
});
