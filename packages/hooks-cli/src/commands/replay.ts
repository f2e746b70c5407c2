import { sinceStartMs } from "../clock.ts";
import type { Environment } from "../environment.ts";
import { HARNESSES } from "../harness/registry.ts";
import { projectOf } from "../hook/hook-session.ts";
import { judge } from "../hook/judge.ts";
import type { JsonRecord } from "../json/json-value.ts";
import type { Decision, Policy } from "../policy/policy.ts";
import { counted } from "../terminal/terminal.ts";
import { findTranscripts } from "../transcript/find-transcripts.ts";
import { pastCalls } from "../transcript/past-calls.ts";
import { findAllTranscripts } from "../transcript/past-sessions.ts";

/** How often a rule matched, and the first thing that it matched. */
export interface ReplayedRule {
  readonly id: string;
  readonly decision: Decision;
  readonly count: number;
  readonly subject: string;
}

/** What a policy would have done in past sessions. */
export interface Replay {
  readonly sessions: number;
  readonly calls: number;
  /** How many calls it would have decided about, by the decision of the strictest rule. */
  readonly decided: Readonly<Partial<Record<Decision, number>>>;
  /** The rules that matched, the most frequent first. */
  readonly rules: readonly ReplayedRule[];
  /** Whether there was time for all sessions; the latest come first. */
  readonly isComplete: boolean;
}

export interface ReplayOptions {
  /** A folder of transcripts; by default where the assistants keep theirs. */
  readonly root?: string | undefined;
  /** Sessions that have not been written since are left out. */
  readonly sinceMs: number;
  readonly budgetMs: number;
}

/** Judges every tool call of past sessions by a policy. Nothing is run, recorded or sent. */
export function replay(policy: Policy, environment: Environment, { root, sinceMs, budgetMs }: ReplayOptions): Replay {
  const endMs = sinceStartMs() + budgetMs;
  const transcripts = (root === undefined ? findAllTranscripts(environment) : findTranscripts(root))
    .filter(({ modifiedAtMs }) => modifiedAtMs >= sinceMs)
    .toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs);
  const rules = new Map<string, ReplayedRule>();
  const decided: Partial<Record<Decision, number>> = {};
  const known = new Set<string>();
  let sessions = 0;
  for (const transcript of transcripts) {
    if (sinceStartMs() > endMs) break;
    sessions += 1;
    for (const { id, payload } of pastCalls(transcript, sinceMs)) {
      if (known.has(id)) continue;
      known.add(id);
      const verdict = judgeAgain(policy, environment, payload);
      if (verdict === undefined || verdict.decision === "allow") continue;
      decided[verdict.decision] = (decided[verdict.decision] ?? 0) + 1;
      for (const { rule, subject } of verdict.matches) {
        const before = rules.get(rule.id) ?? { id: rule.id, decision: rule.decision, subject, count: 0 };
        rules.set(rule.id, { ...before, count: before.count + 1 });
      }
    }
  }
  return {
    sessions,
    calls: known.size,
    decided,
    rules: [...rules.values()].toSorted((a, b) => b.count - a.count),
    isComplete: sessions === transcripts.length,
  };
}

function judgeAgain(policy: Policy, environment: Environment, payload: JsonRecord): ReturnType<typeof judge> {
  const input = HARNESSES["claude-code"].readInput({ name: "PreToolUse", event: "PreToolUse" }, payload);
  return input && judge(policy, { input, environment, ...projectOf(input, environment) });
}

const SHOWN_RULES = 10;

/** A replay in lines of text. */
export function describeReplay({ sessions, calls, decided, rules, isComplete }: Replay): readonly string[] {
  const count = (decision: Decision): number => decided[decision] ?? 0;
  return [
    `Of ${counted(calls, "tool call")} in ${isComplete ? "" : "the latest "}${counted(sessions, "session")} it would have refused ${count("deny")}, asked about ${count("ask")}, and made sure that ${count("undo")} can be undone.`,
    ...rules
      .slice(0, SHOWN_RULES)
      .map(({ id, count: times, subject }) => `  ${times} × ${id}: ${subject.split("\n", 1)[0] ?? ""}`.slice(0, 120)),
  ];
}
