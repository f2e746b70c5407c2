import * as z from "zod";
import { INT4_MAX } from "../../platform/number-range.ts";
import { occurredAtInput } from "../../platform/occurred-at.ts";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { chunkType, sessionId } from "./memory.schema.ts";

export const INJECTION_REASONS = ["session_start", "prompt", "file"] as const;

const reason = z.enum(INJECTION_REASONS).meta({ description: "On what occasion it was given" });
export type InjectionReason = z.infer<typeof reason>;

const MAX_REPORTED = 100;
/** A context has no more memories than this. */
const MAX_GIVEN_AT_ONCE = 20;

const reportedInjection = z.object({
  sessionId: sessionId.min(1, "must not be empty"),
  memoryIds: z
    .array(z.string())
    .max(MAX_GIVEN_AT_ONCE, `must contain at most ${MAX_GIVEN_AT_ONCE} ids`)
    .meta({ description: "Those that do not exist are ignored" }),
  reason,
  subject: z
    .string()
    .max(10_000, "must be at most 10,000 characters")
    .nullish()
    .meta({ description: "The prompt or the path for which they were given; its beginning is kept" }),
  tokens: z.number().int().min(0, "must not be negative").max(INT4_MAX),
  givenAt: occurredAtInput.meta({ description: "A future time counts as now" }),
});

export const recordInjectionsInput = z.object({
  injections: z.array(reportedInjection).max(MAX_REPORTED, `must contain at most ${MAX_REPORTED} injections`),
});
export type RecordInjections = z.infer<typeof recordInjectionsInput>;

export const recordedInjectionsSchema = z.object({
  recorded: z.number().int().meta({ description: "How many memories a session had not been given before" }),
});

export const listInjectionsInput = z.object({
  id: z.string(),
  limit: z.number().int().min(1).max(200).default(20),
  cursor: cursorInput,
});
export type ListInjections = z.infer<typeof listInjectionsInput>;

export const judgeInjectionInput = z.object({
  id: z.string(),
  sessionId,
  isNotUseful: z.boolean().meta({ description: "false takes it back" }),
});
export type JudgeInjection = z.infer<typeof judgeInjectionInput>;

export const memoryInjectionSchema = z
  .object({
    sessionId: z.string(),
    reason,
    subject: z
      .string()
      .nullable()
      .meta({ description: "The beginning of the prompt, or the path, for which it was given" }),
    tokens: z.number().int().meta({ description: "How many it took, together with what was given at the same time" }),
    givenAt: timestamp,
    usedAt: timestamp.nullable().meta({ description: "When the session was found to have used it" }),
    isUseVisible: z
      .boolean()
      .meta({ description: "Whether use would have been noticed; it takes an identifier, a path or a number" }),
    notUsefulAt: timestamp.nullable().meta({ description: "When a person said that it was not useful there" }),
  })
  .meta({ id: "MemoryInjection" });
export type MemoryInjection = z.infer<typeof memoryInjectionSchema>;

/** A memory that a session was given. */
export const givenMemorySchema = memoryInjectionSchema
  .omit({ sessionId: true })
  .extend({
    memoryId: z.string(),
    chunkType,
    content: z.string().meta({ description: "Its beginning" }),
  })
  .meta({ id: "GivenMemory" });
export type GivenMemory = z.infer<typeof givenMemorySchema>;
