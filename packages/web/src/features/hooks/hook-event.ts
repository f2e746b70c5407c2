import type { Outputs } from "../../api/api.ts";

export type HookEvent = Outputs["hooks"]["listEvents"]["data"][number];
export type HookEventType = HookEvent["eventType"];

export const HOOK_EVENT_TYPES: readonly HookEventType[] = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "UserPromptSubmit",
  "SessionStart",
  "SessionEnd",
];

export const HOOK_EVENT_LABELS: Readonly<Record<HookEventType, string>> = {
  PreToolUse: "Before a tool",
  PostToolUse: "After a tool",
  PostToolUseFailure: "Tool failed",
  UserPromptSubmit: "Prompt",
  SessionStart: "Session started",
  SessionEnd: "Session ended",
};

export function isHookEventType(value: unknown): value is HookEventType {
  return HOOK_EVENT_TYPES.some((type) => type === value);
}

/** The fields of a tool's input that describe a call best, most descriptive first. */
const DESCRIPTIVE_FIELDS = [
  "command",
  "pattern",
  "file_path",
  "filePath",
  "path",
  "notebook_path",
  "url",
  "query",
  "prompt",
];
const MAX_SUMMARY_LENGTH = 300;

/** What was requested, in one line: the command, the file or the prompt. Empty if the event does not contain it. */
export function summaryOf({ eventData }: Pick<HookEvent, "eventData">): string {
  if (eventData === null) return "";
  const input = recordIn(eventData["toolInput"]) ?? recordIn(eventData["tool_input"]);
  const found =
    (input === undefined ? undefined : descriptiveText(input)) ??
    textIn(eventData["prompt"]) ??
    [textIn(eventData["source"]), ...problemsOf(eventData)].filter((text) => text !== undefined).join("; ");
  return found.replace(/\s+/g, " ").trim().slice(0, MAX_SUMMARY_LENGTH);
}

/** Problems that the hooks report when a session starts or ends: lost events, and why. */
function problemsOf(eventData: Readonly<Record<string, unknown>>): string[] {
  const { dropped, rejected, serverFailure, policyProblem } = recordIn(eventData["hooks"]) ?? {};
  return [
    typeof dropped === "number" ? `dropped so far: ${dropped}` : undefined,
    typeof rejected === "number" ? `refused so far: ${rejected}` : undefined,
    textIn(serverFailure),
    textIn(policyProblem),
  ].filter((text) => text !== undefined);
}

/** A rule of the hooks' policy that matched a call. */
export interface MatchedRule {
  readonly id: string;
  readonly decision: string;
  readonly subject: string;
}

/** The policy rules that matched, as recorded by the hooks. */
export function matchedRulesOf({ eventData }: Pick<HookEvent, "eventData">): MatchedRule[] {
  const rules = recordIn(eventData?.["policy"])?.["rules"];
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule: unknown) => {
    const { id, decision, subject } = recordIn(rule) ?? {};
    return typeof id === "string" ? [{ id, decision: textIn(decision) ?? "", subject: textIn(subject) ?? "" }] : [];
  });
}

/** The first characters of a session's id, enough to distinguish sessions. */
export function shortSessionId(sessionId: string): string {
  return sessionId.length <= 12 ? sessionId : sessionId.slice(0, 8);
}

function descriptiveText(input: Readonly<Record<string, unknown>>): string | undefined {
  const descriptive = DESCRIPTIVE_FIELDS.map((field) => textIn(input[field])).find((text) => text !== undefined);
  return (
    descriptive ??
    Object.values(input)
      .map(textIn)
      .find((text) => text !== undefined)
  );
}

function recordIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : undefined;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
