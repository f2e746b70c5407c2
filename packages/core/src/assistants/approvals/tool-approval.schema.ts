import * as z from "zod";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

const MAX_NAME_LENGTH = 255;
const MAX_PATH_LENGTH = 4096;
const MAX_CALL_LENGTH = 8_000;
const MAX_EFFECT_LENGTH = 4_000;
const MAX_DIFF_LENGTH = 40_000;
const MAX_NOTE_LENGTH = 2_000;
/** Assistants wait for their hooks up to ten minutes. */
const MAX_TIMEOUT_MS = 10 * 60 * 1000;

const text = (length: number) => z.string().max(length, `must be at most ${length.toLocaleString("en")} characters`);
const id = z.uuid("expected a UUID");

/** What a person can decide. */
export const TOOL_DECISIONS = ["allowed_once", "allowed_here", "denied"] as const;
/** How a request ended: by a decision, or without one. */
export const TOOL_APPROVAL_OUTCOMES = [...TOOL_DECISIONS, "withdrawn"] as const;
export type ToolApprovalOutcome = (typeof TOOL_APPROVAL_OUTCOMES)[number];

export const toolApprovalByIdInput = z.object({ id });

export const requestToolApprovalInput = z.object({
  id: id.meta({ description: "Random, made by the hook: a repeat of the request waits for the same decision" }),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "expected 64 hexadecimal digits")
    .meta({ description: "SHA-256 of the call in its project, by which it is allowed from then on" }),
  harness: text(MAX_NAME_LENGTH).meta({ description: "The assistant" }),
  sessionId: text(MAX_NAME_LENGTH).optional(),
  project: text(MAX_PATH_LENGTH).meta({ description: "The git remote, or the folder" }),
  folder: text(MAX_PATH_LENGTH),
  toolName: text(MAX_NAME_LENGTH),
  call: text(MAX_CALL_LENGTH).meta({ description: "The command, the file or the input, without secrets" }),
  effect: text(MAX_EFFECT_LENGTH).meta({ description: "Why it is asked about, in words" }),
  diff: text(MAX_DIFF_LENGTH).optional().meta({ description: "What the call would change in a file" }),
  timeoutMs: z.number().int().min(1_000).max(MAX_TIMEOUT_MS).meta({ description: "How long the hook waits in all" }),
});
export type RequestToolApproval = z.infer<typeof requestToolApprovalInput>;

/** What a hook learns. It accepts a decision only with the id and the digest of its own request. */
export const toolDecisionSchema = z
  .object({
    id: z.string(),
    digest: z.string(),
    outcome: z
      .enum(TOOL_APPROVAL_OUTCOMES)
      .nullable()
      .meta({ description: "Null if nothing has been decided; the hook may repeat its request" }),
    note: z.string().nullable().meta({ description: "What the person says to the assistant" }),
  })
  .meta({ id: "ToolDecision" });
export type ToolDecision = z.infer<typeof toolDecisionSchema>;

export const decideToolApprovalInput = toolApprovalByIdInput.extend({
  decision: z.enum(TOOL_DECISIONS),
  note: text(MAX_NOTE_LENGTH)
    .trim()
    .optional()
    .meta({ description: "For the assistant, if the call is denied: what to do instead" }),
});
export type DecideToolApproval = z.infer<typeof decideToolApprovalInput>;

export const toolApprovalSchema = z
  .object({
    id: z.string(),
    harness: z.string(),
    sessionId: z.string().nullable(),
    prompt: z.string().nullable().meta({ description: "The beginning of what the session was asked last before it" }),
    project: z.string(),
    folder: z.string(),
    toolName: z.string(),
    call: z.string(),
    effect: z.string(),
    diff: z.string().nullable(),
    createdAt: timestamp,
    expiresAt: timestamp,
    state: z.enum(["open", "expired", ...TOOL_APPROVAL_OUTCOMES]),
    decidedAt: timestamp.nullable(),
    decidedBy: z.string().nullable().meta({ description: "The name of the person" }),
    note: z.string().nullable(),
  })
  .meta({ id: "ToolApproval" });
export type ToolApproval = z.infer<typeof toolApprovalSchema>;

export const listToolApprovalsInput = z.object({
  open: z.boolean().optional().meta({ description: "Only those that wait for a decision, or only the others" }),
  limit: z.number().int().min(1).max(200).default(50),
  cursor: cursorInput,
});
export type ListToolApprovals = z.infer<typeof listToolApprovalsInput>;

export const toolAllowanceSchema = z
  .object({
    id: z.string(),
    project: z.string(),
    digest: z.string(),
    toolName: z.string(),
    call: z.string(),
    effect: z.string(),
    createdAt: timestamp,
  })
  .meta({ id: "ToolAllowance" });
export type ToolAllowance = z.infer<typeof toolAllowanceSchema>;
