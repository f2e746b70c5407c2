import type { EventToPost } from "../delivery/workspace-api.ts";
import type { HarnessId, HookEvent, HookInput } from "../harness/harness.ts";
import { definedOnly } from "../harness/harness.ts";
import { type JsonRecord, isRecord } from "../json/json-value.ts";
import type { Verdict } from "../policy/evaluate-policy.ts";
import { writtenLines } from "./written-lines.ts";
import { type RedactionLimits, redactText, redactValue, storable } from "../redaction/redact.ts";

export interface EventFacts {
  readonly id: string;
  readonly occurredAt: Date;
  readonly harness: HarnessId;
  /** The assistant's version, at the start of a session. */
  readonly harnessVersion?: string | undefined;
  readonly input: HookInput<HookEvent>;
  /** The session's working directory, and the project's identity. */
  readonly projectDir: string | undefined;
  readonly project: string | undefined;
  readonly verdict: Verdict | undefined;
  /** Why it is refused, if a person has stopped or paused its session. */
  readonly refusal?: string | undefined;
  readonly exitCode: number;
  /** The turn that can be undone. */
  readonly turn: JsonRecord | undefined;
  readonly durationMs: number;
  readonly hookScript: string;
  /** The health of this program itself; sent with the events of a session's start and end. */
  readonly health: JsonRecord | undefined;
  /** Secret values to search for literally. */
  readonly knownSecrets: readonly string[];
}

const LIMITS: RedactionLimits = { maxTextLength: 2_000, maxTotalLength: 12_000 };
const MAX_NAME_LENGTH = 255;
const MAX_PATH_LENGTH = 4_096;

/** The record of an event: what was requested, without secrets and private parts, and the outcome. */
export function toEvent(facts: EventFacts): EventToPost {
  const { input, verdict, knownSecrets } = facts;
  const isRefused = facts.exitCode === 2;
  const data = redactValue(
    definedOnly({
      ...input.details,
      source: input.source,
      agentId: input.agentId,
      prompt: input.prompt,
      toolInput: input.tool?.input,
      toolUseId: input.tool?.useId,
    }),
    LIMITS,
    knownSecrets,
  );
  const text = (value: string | undefined, limit: number): string | undefined =>
    value === undefined ? undefined : storable(redactText(value, knownSecrets).value.slice(0, limit));
  const toolName = text(input.tool?.name, MAX_NAME_LENGTH);
  const blockReason = isRefused
    ? (text(facts.refusal, LIMITS.maxTextLength) ?? verdict?.matches[0]?.rule.reason)
    : undefined;
  const sessionId = text(input.sessionId, MAX_NAME_LENGTH);
  // Part by part, since a path as a whole may look as random as a key does.
  const path = (value: string | undefined): string | undefined =>
    value
      ?.split("/")
      .map((part) => text(part, MAX_PATH_LENGTH))
      .join("/")
      .slice(0, MAX_PATH_LENGTH);
  const projectDir = path(facts.projectDir);
  return {
    id: facts.id,
    eventType: input.event,
    ...(sessionId !== undefined && { sessionId }),
    ...(projectDir !== undefined && { projectDir }),
    ...(toolName !== undefined && { toolName, toolMatcher: "*" }),
    eventData: {
      ...(isRecord(data.value) ? data.value : {}),
      ...definedOnly({
        harness: facts.harness,
        harnessVersion: facts.harnessVersion,
        project: path(facts.project),
        policy: policyRecord(verdict, knownSecrets),
        redactions: data.secrets > 0 ? data.secrets : undefined,
        wasCut: data.wasCut ? true : undefined,
        writtenLines: writtenLines(input, facts.projectDir ?? "", knownSecrets),
        turn: turnData(facts),
        hooks: facts.health,
      }),
    },
    exitCode: facts.exitCode,
    blocked: isRefused,
    ...(blockReason !== undefined && { blockReason }),
    durationMs: Math.max(0, Math.round(facts.durationMs * 10) / 10),
    hookScript: storable(facts.hookScript).slice(0, MAX_PATH_LENGTH),
    occurredAt: toTimestamp(facts.occurredAt),
  };
}

/** Names of files may hold secrets as well. */
function turnData({ turn, knownSecrets }: EventFacts): JsonRecord | undefined {
  if (turn === undefined) return undefined;
  const { value } = redactValue(turn, LIMITS, knownSecrets);
  return isRecord(value) ? value : undefined;
}

/** Which rules matched, and what they matched. */
function policyRecord(verdict: Verdict | undefined, knownSecrets: readonly string[]): JsonRecord | undefined {
  if (verdict === undefined || (verdict.matches.length === 0 && verdict.skippedRules === 0)) return undefined;
  return definedOnly({
    decision: verdict.decision,
    rules: verdict.matches.slice(0, 20).map(({ rule, subject }) => ({
      id: rule.id,
      decision: rule.decision,
      subject: storable(redactText(subject, knownSecrets).value),
    })),
    skippedRules: verdict.skippedRules > 0 ? verdict.skippedRules : undefined,
  });
}

/** The server accepts no time before 1970, which a machine without a clock may report. */
function toTimestamp(date: Date): string {
  return (date.getTime() >= 0 ? date : new Date(0)).toISOString();
}
