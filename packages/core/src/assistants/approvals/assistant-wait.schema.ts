import * as z from "zod";
import { occurredAtInput } from "../../platform/occurred-at.ts";
import { listInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

const MAX_NAME_LENGTH = 255;
const MAX_TEXT_LENGTH = 2_000;

const text = (length: number) => z.string().max(length, `must be at most ${length.toLocaleString("en")} characters`);

/** What an assistant waits for: an answer to whether it may do something, or the next prompt. */
export const WAIT_REASONS = ["permission", "input"] as const;

export const reportWaitInput = z.object({
  sessionId: text(MAX_NAME_LENGTH).min(1, "is required"),
  harness: text(MAX_NAME_LENGTH).meta({ description: "The assistant" }),
  project: text(4_096).meta({ description: "The git remote, or the folder" }),
  reason: z.enum(WAIT_REASONS),
  text: text(MAX_TEXT_LENGTH).meta({ description: "What it asks, without secrets" }),
  occurredAt: occurredAtInput.optional().meta({ description: "Since when, if not now; a future time counts as now" }),
});
export type ReportWait = z.infer<typeof reportWaitInput>;

export const listWaitsInput = listInput.extend({
  sessionId: z.string().optional().meta({ description: "Only that of this session" }),
});
export type ListWaits = z.infer<typeof listWaitsInput>;

export const assistantWaitSchema = z
  .object({
    sessionId: z.string(),
    harness: z.string(),
    project: z.string(),
    reason: z.enum(WAIT_REASONS),
    text: z.string(),
    since: timestamp,
  })
  .meta({ id: "AssistantWait" });
export type AssistantWait = z.infer<typeof assistantWaitSchema>;
