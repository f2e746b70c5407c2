import * as z from "zod";
import { MAX_CHOICES } from "../platform/choices.ts";
import { isStorableInstant } from "../platform/instant.ts";
import { INT4_MAX } from "../platform/number-range.ts";
import { occurredAtInput } from "../platform/occurred-at.ts";
import { cursorInput } from "../platform/paging.ts";
import { timestamp } from "../platform/response.ts";

/** The moments of an assistant's session that are recorded. */
export const HOOK_EVENT_TYPES = [
  "SessionStart",
  "SessionEnd",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
] as const;

export const hookEventType = z.enum(HOOK_EVENT_TYPES);
export type HookEventType = z.infer<typeof hookEventType>;

const MAX_BATCH_SIZE = 500;

/** Text that an index holds, so it must stay far below what fits into an index entry. */
export const indexedName = z.string().max(255, "must be at most 255 characters");
const path = z.string().max(4096, "must be at most 4,096 characters");
const reason = z.string().max(10_000, "must be at most 10,000 characters");

export const recordHookEventInput = z.object({
  id: z.uuid("expected a UUID").optional().meta({ description: "Made by the client, so that a repeat adds nothing" }),
  eventType: hookEventType,
  sessionId: indexedName.nullish(),
  projectDir: path.nullish(),
  toolName: indexedName.nullish(),
  toolMatcher: reason.nullish(),
  eventData: z.record(z.string(), z.unknown()).nullish(),
  exitCode: z.number().int().min(-INT4_MAX).max(INT4_MAX).nullish(),
  blocked: z.boolean().optional(),
  blockReason: reason.nullish(),
  durationMs: z.number().min(0, "must not be negative").max(INT4_MAX).nullish(),
  hookScript: path.nullish(),
  occurredAt: occurredAtInput
    .optional()
    .meta({ description: "When it happened, if not now; a time to come counts as now" }),
});
export type RecordHookEvent = z.infer<typeof recordHookEventInput>;

export const recordHookEventsInput = z.object({
  events: z.array(recordHookEventInput).max(MAX_BATCH_SIZE, `must hold at most ${MAX_BATCH_SIZE} events`),
});

/** What the recorder of an event is answered. */
export const recordedHookEventSchema = z.object({
  id: z.string(),
  eventType: hookEventType,
  blocked: z.boolean(),
  blockReason: z.string().nullable(),
  createdAt: timestamp,
});
export type RecordedHookEvent = z.infer<typeof recordedHookEventSchema>;

export const hookEventSchema = recordedHookEventSchema.extend({
  sessionId: z.string().nullable(),
  projectDir: z.string().nullable(),
  toolName: z.string().nullable(),
  toolMatcher: z.string().nullable(),
  eventData: z.record(z.string(), z.unknown()).nullable(),
  exitCode: z.number().int().nullable(),
  durationMs: z.number().nullable(),
  hookScript: z.string().nullable(),
});
export type HookEvent = z.infer<typeof hookEventSchema>;

export const listHookEventsInput = z.object({
  eventType: z.array(hookEventType).max(MAX_CHOICES).optional(),
  sessionId: z.string().optional(),
  toolName: z.string().optional(),
  blocked: z.boolean().optional(),
  since: z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], "expected an ISO 8601 date or date-time")
    .refine(isStorableInstant, "must lie in the years 0001 to 9999")
    .optional()
    .meta({ description: "Only events after it; a date means its first moment in UTC" }),
  limit: z.number().int().min(1).max(500).default(100),
  cursor: cursorInput,
});
export type ListHookEvents = z.infer<typeof listHookEventsInput>;
