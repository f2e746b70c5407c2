import * as z from "zod";
import { cursorInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

const MAX_MESSAGE_LENGTH = 4_000;
const MAX_DELIVERED = 100;

const sessionId = z.string().min(1, "must not be empty").max(255, "must be at most 255 characters");
const id = z.uuid("expected a UUID");

export const INSTRUCTION_KINDS = ["message", "pause", "stop"] as const;
export type InstructionKind = (typeof INSTRUCTION_KINDS)[number];

export const instructionByIdInput = z.object({ id });

export const giveInstructionInput = z.object({
  sessionId,
  kind: z.enum(INSTRUCTION_KINDS),
  text: z
    .string()
    .trim()
    .max(MAX_MESSAGE_LENGTH, `must be at most ${MAX_MESSAGE_LENGTH.toLocaleString("en")} characters`)
    .optional()
    .meta({ description: "What the assistant is told; only for a message, which needs it" }),
});
export type GiveInstruction = z.infer<typeof giveInstructionInput>;

export const sessionInstructionSchema = z
  .object({
    id: z.string(),
    sessionId: z.string(),
    kind: z.enum(INSTRUCTION_KINDS),
    text: z.string().nullable(),
    createdAt: timestamp,
    createdBy: z.string().nullable().meta({ description: "The name of the person" }),
    state: z.enum(["pending", "delivering", "delivered", "withdrawn"]).meta({
      description: "`delivered`: a hook had it, or, of a pause, a call waits; `withdrawn`: also a pause that is over",
    }),
    deliveredAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
    endedBy: z
      .string()
      .nullable()
      .meta({ description: "Who withdrew it; null if the run was over before it could be stopped" }),
    mayBeDelivered: z.boolean().meta({
      description: "Whether it was withdrawn after a hook had taken it and never said whether it delivered it",
    }),
  })
  .meta({ id: "SessionInstruction" });
export type SessionInstruction = z.infer<typeof sessionInstructionSchema>;

export const listInstructionsInput = z.object({
  sessionId,
  limit: z.number().int().min(1).max(200).default(50),
  cursor: cursorInput,
});
export type ListInstructions = z.infer<typeof listInstructionsInput>;

export const takeInstructionsInput = z.object({
  sessionId,
  claim: id.meta({ description: "Random, made by the hook: a repeat of the request gets the same" }),
  moment: z.enum(["prompt", "call", "result", "end"]).meta({
    description: "A prompt, a call of a tool before and after, or the end of a run. Only calls wait while it is paused",
  }),
  takesMessages: z.boolean().meta({ description: "Whether the assistant can be told something at this moment" }),
  fromSubagent: z.boolean().meta({ description: "A subagent is paused and stopped too, but told nothing" }),
  waitMs: z.number().int().min(0).max(20_000).meta({ description: "How long a paused call may be held" }),
});
export type TakeInstructions = z.infer<typeof takeInstructionsInput>;

/** What a hook is to do. */
export const takenInstructionsSchema = z
  .object({
    sessionId: z.string(),
    pausedBy: z.string().nullable().meta({ description: "Who has paused the session; null if it is not paused" }),
    pausedForMs: z.number().nullable().meta({ description: "How long ago the first call began to wait" }),
    stop: z.object({ id: z.string(), by: z.string() }).nullable(),
    messages: z
      .array(z.object({ id: z.string(), text: z.string(), by: z.string(), createdAt: timestamp }))
      .meta({ description: "In order. They are delivered once the hook says so, or else to a later hook" }),
  })
  .meta({ id: "TakenInstructions" });
export type TakenInstructions = z.infer<typeof takenInstructionsSchema>;

export const confirmInstructionsInput = z.object({
  sessionId,
  ids: z.array(id).max(MAX_DELIVERED, `must hold at most ${MAX_DELIVERED} ids`),
});
export type ConfirmInstructions = z.infer<typeof confirmInstructionsInput>;

export const watchSessionInput = z.object({
  sessionId,
  waitMs: z.number().int().min(0).max(20_000).meta({ description: "How long to wait" }),
});
export type WatchSession = z.infer<typeof watchSessionInput>;

export const runningSessionSchema = z
  .object({
    sessionId: z.string(),
    prompt: z.string().nullable().meta({ description: "The beginning of what it was asked first" }),
    projectDir: z.string().nullable(),
    harness: z.string().nullable(),
    lastEventAt: timestamp,
    lastToolName: z.string().nullable(),
    pauseId: z.string().nullable().meta({ description: "The pause that is to be withdrawn; null if it is not paused" }),
    pendingInstructions: z.number().int(),
  })
  .meta({ id: "RunningSession" });
export type RunningSession = z.infer<typeof runningSessionSchema> & { readonly lastEventId: string };

export const listRunningSessionsInput = z.object({
  limit: z.number().int().min(1).max(100).default(50),
  cursor: cursorInput,
});
export type ListRunningSessions = z.infer<typeof listRunningSessionsInput>;
