import * as z from "zod";
import { instantInput } from "../../platform/instant.ts";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

/** Further prompts of a session are left out of its outline. */
export const MAX_PROMPTS = 2_000;
export const MAX_PROMPT_TEXT = 600;
export const MAX_ANSWER_TEXT = 400;
export const MAX_CHANGED_FILES = 50;
export const MAX_STEPS = 200;

const MAX_POSITION = 1_000_000;
const position = z.number().int().min(1).max(MAX_POSITION);

export const listSessionsInput = z.object({
  limit: z.number().int().min(1).max(100).default(30).meta({ description: "The maximum number of sessions per page" }),
  cursor: cursorInput,
});
export type ListSessions = z.infer<typeof listSessionsInput>;

export const listedSessionSchema = z
  .object({
    sessionId: z.string(),
    prompt: z.string().nullable().meta({ description: "The beginning of what it was asked first" }),
    projectDir: z.string().nullable(),
    assistant: z.string().nullable().meta({ description: "Such as `claude-code`" }),
    startedAt: timestamp,
    lastEventAt: timestamp,
    hasEnded: z.boolean(),
    prompts: z.number().int(),
    calls: z.number().int(),
    failed: z.number().int(),
    blocked: z.number().int(),
    totalTokens: z.number().nullable().meta({ description: "Null if none were reported" }),
    costUsd: z.number().nullable(),
  })
  .meta({ id: "ListedSession", description: "A session of which hooks recorded events" });
export type ListedSession = z.infer<typeof listedSessionSchema>;

export const sessionOutlineInput = z.object({
  sessionId: z.string(),
  since: instantInput
    .optional()
    .meta({ description: "Only from the prompt on that has this `since`, for what is new since the outline was read" }),
  fromTurn: position.optional().meta({ description: "The first of that prompt's `turns`, if it has any" }),
});
export type SessionOutlineQuery = z.infer<typeof sessionOutlineInput>;

const changedFileSchema = z.object({ path: z.string(), change: z.enum(["added", "changed", "deleted"]) });
export type ChangedFile = z.infer<typeof changedFileSchema>;

const promptChangesSchema = z.object({
  turn: z.number().int().nullable().meta({ description: "By which the hooks undo it; null if they cannot" }),
  root: z.string().nullable().meta({ description: "The folder that the paths start from" }),
  files: z.array(changedFileSchema).meta({ description: `At most ${MAX_CHANGED_FILES}` }),
  total: z.number().int(),
  isCompared: z
    .boolean()
    .meta({ description: "Whether all that changed is known; otherwise only what tools that edit files reported" }),
});
export type PromptChanges = z.infer<typeof promptChangesSchema>;

export const sessionPromptSchema = z
  .object({
    id: z.string(),
    text: z
      .string()
      .nullable()
      .meta({ description: `The first ${MAX_PROMPT_TEXT} characters; null for what was done before the first prompt` }),
    isCut: z.boolean(),
    isBlocked: z.boolean().meta({ description: "Whether a hook kept the prompt from the assistant" }),
    turns: z
      .object({ first: position, last: position })
      .nullable()
      .meta({ description: "What the transcript has of it; null if nothing" }),
    since: timestamp.nullable().meta({ description: "When events belong to it: from then on, until `until`" }),
    until: timestamp.nullable(),
    startedAt: timestamp.nullable(),
    lastAt: timestamp.nullable().meta({ description: "When the last of its steps is known to have happened" }),
    answer: z
      .string()
      .nullable()
      .meta({ description: `The first ${MAX_ANSWER_TEXT} characters of what the assistant said last` }),
    calls: z.number().int(),
    failed: z.number().int(),
    blocked: z.number().int(),
    asked: z.number().int().meta({ description: "Calls about which a rule had a person asked" }),
    changes: promptChangesSchema.nullable().meta({ description: "What it changed in files; null if nothing is known" }),
    usage: z
      .object({ totalTokens: z.number(), outputTokens: z.number(), costUsd: z.number().nullable() })
      .nullable()
      .meta({ description: "Of the responses meanwhile; null if none was reported" }),
  })
  .meta({ id: "SessionPrompt", description: "A prompt of a session, and what came of it" });
export type SessionPrompt = z.infer<typeof sessionPromptSchema>;

export const sessionOutlineSchema = z
  .object({
    sessionId: z.string(),
    turnCount: z.number().int().meta({ description: "How many turns the transcript has; 0 without one" }),
    isComplete: z.boolean().meta({ description: "Whether the session was not too long to be shown as a whole" }),
    prompts: z.array(sessionPromptSchema).meta({ description: `In order, at most ${MAX_PROMPTS}` }),
  })
  .meta({ id: "SessionOutline" });
export type SessionOutline = z.infer<typeof sessionOutlineSchema>;

export const sessionStepsInput = z.object({
  sessionId: z.string(),
  firstTurn: position.optional().meta({ description: "Of the prompt's `turns`; omitted if it has none" }),
  lastTurn: position.optional(),
  since: instantInput.optional().meta({ description: "As in the outline" }),
  until: instantInput.optional(),
  from: position.default(1).meta({ description: "The first step to return, from 1" }),
  limit: z.number().int().min(1).max(MAX_STEPS).default(MAX_STEPS),
});
export type SessionStepsQuery = z.infer<typeof sessionStepsInput>;

export const STEP_STATES = ["open", "done", "failed", "blocked"] as const;

export const sessionStepSchema = z
  .object({
    id: z.string(),
    kind: z.enum(["prompt", "answer", "call"]),
    position: position.nullable().meta({ description: "Its turn in the transcript" }),
    text: z.string().nullable().meta({ description: "What was said; null for a call" }),
    toolName: z.string().nullable(),
    input: z.string().nullable().meta({ description: "Of a call: JSON, or a text; long values are shortened" }),
    output: z.string().nullable().meta({ description: "What the call returned, shortened; null if it is not known" }),
    state: z.enum(STEP_STATES).nullable().meta({ description: "Of a call; `open` if no result is known" }),
    isAsked: z.boolean().meta({ description: "Whether a rule had a person asked about it" }),
    reason: z.string().nullable().meta({ description: "Why it was blocked" }),
    isOfSubagent: z.boolean(),
    startedAt: timestamp.nullable(),
    durationMs: z.number().nullable(),
  })
  .meta({ id: "SessionStep", description: "Something that was said or done in a session" });
export type SessionStep = z.infer<typeof sessionStepSchema>;

export const sessionStepsSchema = z.object({ total: z.number().int(), steps: z.array(sessionStepSchema) });
export type SessionSteps = z.infer<typeof sessionStepsSchema>;
