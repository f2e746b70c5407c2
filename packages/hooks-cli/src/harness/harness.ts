import type { JsonRecord, JsonValue } from "../json/json-value.ts";
import type { ToolKind } from "../policy/tool-kinds.ts";

/** The six events that the server records. */
export const HOOK_EVENTS = [
  "SessionStart",
  "SessionEnd",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/**
 * Events that are not recorded: at the end of a turn and before a compaction, what a session holds is sent, and at the end of a subagent
 * with a transcript elsewhere what that has used; that the assistant waits for a person is shown in the dashboard.
 */
export const INNER_EVENTS = ["Stop", "SubagentStop", "PreCompact", "Wait"] as const;
export type InnerEvent = (typeof INNER_EVENTS)[number];

export const HARNESS_IDS = ["claude-code", "codex", "gemini-cli", "cursor", "opencode"] as const;
export type HarnessId = (typeof HARNESS_IDS)[number];

/** A call of a tool. */
export interface HookTool {
  readonly name: string;
  readonly input: JsonRecord;
  readonly useId: string | undefined;
  /** Set after the call, if the assistant passes it on. */
  readonly response?: JsonValue | undefined;
}

/** What an assistant passes to a hook, in a common form for all assistants. */
export interface HookInput<E = HookEvent | InnerEvent> {
  readonly event: E;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
  readonly transcriptPath: string | undefined;
  readonly tool: HookTool | undefined;
  readonly prompt: string | undefined;
  /** Why the session started: startup, resume, clear, compact, fork. */
  readonly source: string | undefined;
  /** The assistant's own version, if it passes it on. */
  readonly version?: string | undefined;
  /** Set inside a subagent, which shares the session of its parent. */
  readonly agentId: string | undefined;
  /** The subagent's own transcript, at its end. */
  readonly agentTranscriptPath?: string | undefined;
  /** Anything else worth recording. */
  readonly details: JsonRecord;
}

/** What a hook returns to the assistant. */
export interface HookOutcome {
  readonly decision: "allow" | "ask" | "deny";
  /** Whether a person has allowed the call, so that the assistant need not ask them again. */
  readonly isApproved?: true;
  readonly reason: string | undefined;
  /** For the user; the assistant does not need them. */
  readonly warnings: readonly string[];
  /** For the assistant, at an event that takes it. */
  readonly context: string | undefined;
}

/** What the rules, or a person, say about a call. */
export type JudgedOutcome = Omit<HookOutcome, "context">;

export interface HookReply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

/** An event for which an assistant calls a hook. */
export interface HarnessEvent {
  /** The assistant's own name for it. */
  readonly name: string;
  readonly event: HookEvent | InnerEvent;
  /** The kinds of tools for which there are hooks of their own; undefined if one hook is for all. */
  readonly toolKinds?: readonly ToolKind[];
  /** Whether the event is read from the session's transcript, so that no hook is installed for it. */
  readonly isInTranscript?: boolean;
  /** Whether the hook runs in the background, without the assistant waiting for it. */
  readonly isAsync?: boolean;
  /** Whether the assistant adds a hook's context to the session at this event; at its start every assistant does. */
  readonly takesContext?: boolean;
}

/** How one assistant calls hooks and what it expects of them. */
export interface Harness {
  readonly id: HarnessId;
  readonly title: string;
  readonly events: readonly HarnessEvent[];
  /** Undefined if the payload is irrelevant: not every hook call is an event for us. */
  readonly readInput: (event: HarnessEvent, payload: JsonRecord) => HookInput | undefined;
  readonly reply: (event: HarnessEvent, outcome: HookOutcome) => HookReply;
}

/**
 * For an assistant that takes nothing but a refusal: instead of asking the user it refuses, and the reason says what they can do.
 * That a person has approved the call, it would not understand.
 */
export function refusedInsteadOfAsked({ decision, reason, warnings, context }: HookOutcome): HookOutcome {
  if (decision !== "ask") return { decision, reason, warnings, context };
  const hint = "This assistant cannot ask, so the call was refused: the user can run it, or allow it in the dashboard.";
  return { decision: "deny", reason: `${reason ?? ""} ${hint}`.trim(), warnings, context };
}

export const NO_OUTPUT: HookReply = { stdout: "", stderr: "", exitCode: 0 };

/** The events for which there are hooks in the assistant's settings. */
export function installedEvents({ events }: Harness): readonly HarnessEvent[] {
  return events.filter(({ isInTranscript }) => isInTranscript !== true);
}

/** Whether the assistant's transcripts have all calls of tools with their results. */
export function hasCallsInTranscript({ events }: Harness): boolean {
  return events.some(({ isInTranscript }) => isInTranscript === true);
}

/** Drops undefined fields, so that they are not sent. */
export function definedOnly(record: { readonly [key: string]: JsonRecord[string] }): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

export function isRecorded(input: HookInput): input is HookInput<HookEvent> {
  return !INNER_EVENTS.some((event) => event === input.event);
}

/** A tool that ran and failed. */
export function asFailure(input: HookInput, error: string | undefined): HookInput {
  return { ...input, event: "PostToolUseFailure", details: definedOnly({ ...input.details, error }) };
}
