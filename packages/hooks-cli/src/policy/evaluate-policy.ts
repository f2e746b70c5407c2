import { findEffectRule } from "../effects/effect-rules.ts";
import { findEffects } from "../effects/find-effects.ts";
import { CallSubject, type SubjectFile } from "./call-subject.ts";
import { detectForcePush } from "./detectors/force-push.ts";
import { detectDeleteOutside, detectWriteOutside } from "./detectors/outside-project.ts";
import { detectPipeToShell } from "./detectors/pipe-to-shell.ts";
import { detectSecretFile } from "./detectors/secret-files.ts";
import { detectUnreadable } from "./detectors/unreadable-command.ts";
import { isCovered, isInsideProject } from "./file-location.ts";
import { matchesGlob } from "../shell/path-glob.ts";
import type {
  CommandCondition,
  Decision,
  DetectorCondition,
  PathCondition,
  Policy,
  Rule,
  RuleConditions,
} from "./policy.ts";
import type { PolicyFacts } from "./policy-facts.ts";
import { occursIn } from "./rule-pattern.ts";
import { type ToolCall, inputText } from "./tool-call.ts";
import { type ShellCommand, argumentsOf, programOf } from "../shell/shell-command.ts";
import { UNKNOWN } from "../shell/unknown.ts";
import type { ShellWord } from "../shell/word-fields.ts";

export interface RuleMatch {
  readonly rule: Pick<Rule, "id" | "decision" | "reason">;
  /** What it matched in the call: a command, a file, part of a prompt. */
  readonly subject: string;
}

export interface Verdict {
  readonly decision: "allow" | Decision;
  /** Every rule that matched, the strictest first. */
  readonly matches: readonly RuleMatch[];
  /** Rules that were not evaluated, because the call was so large that time ran out. */
  readonly skippedRules: number;
}

export interface EvaluationLimits {
  readonly now: () => number;
  readonly budgetMs: number;
}

const STRICTNESS: Readonly<Record<Decision, number>> = { deny: 4, ask: 3, undo: 2, warn: 1 };
const MAX_SUBJECT_LENGTH = 300;

/** Judges a tool call by every rule of a policy: the strictest matching rule decides. */
export function evaluateCall(policy: Policy, call: ToolCall, facts: PolicyFacts, limits: EvaluationLimits): Verdict {
  const subject = new CallSubject(call, facts);
  const effects = policy.effects === undefined ? [] : matchEffects(policy.effects, subject);
  return judge(policy, limits, effects, (rule) =>
    rule.when.prompt === undefined ? matchCall(rule.when, subject) : undefined,
  );
}

/** Judges a user's prompt, by the rules about prompts. */
export function evaluatePrompt(policy: Policy, prompt: string, limits: EvaluationLimits): Verdict {
  return judge(policy, limits, [], ({ when }) =>
    when.prompt !== undefined && occursIn(when.prompt, prompt) ? "the prompt" : undefined,
  );
}

/** The rules of packs that a call matches. What happens on another machine or in a container cannot be undone here. */
function matchEffects(effects: NonNullable<Policy["effects"]>, subject: CallSubject): readonly RuleMatch[] {
  return findEffects(subject).flatMap(({ rule: id, subject: text, isElsewhere }) => {
    const decision = effects[id];
    if (decision === undefined) return [];
    const rule = { id, decision: decision === "undo" && isElsewhere ? "ask" : decision, reason: reasonOf(id) } as const;
    return [{ rule, subject: shortened(text) }];
  });
}

function reasonOf(id: string): string {
  return findEffectRule(id)?.reason ?? id;
}

function shortened(subject: string): string {
  return subject.replaceAll(UNKNOWN, "…").slice(0, MAX_SUBJECT_LENGTH);
}

function judge(
  policy: Policy,
  { now, budgetMs }: EvaluationLimits,
  effects: readonly RuleMatch[],
  match: (rule: Rule) => string | undefined,
): Verdict {
  const end = now() + budgetMs;
  const matches = [...effects];
  let skippedRules = 0;
  for (const rule of policy.rules) {
    if (now() > end) {
      skippedRules += 1;
      continue;
    }
    const subject = match(rule);
    if (subject !== undefined) matches.push({ rule, subject: shortened(subject) });
  }
  matches.sort((a, b) => STRICTNESS[b.rule.decision] - STRICTNESS[a.rule.decision]);
  return { decision: matches[0]?.rule.decision ?? "allow", matches, skippedRules };
}

/** What the conditions matched; undefined if one of them does not match. */
function matchCall(when: RuleConditions, subject: CallSubject): string | undefined {
  let matched = subject.call.name;
  if (when.tool !== undefined && !matchesTool(when.tool, subject.call)) return undefined;
  if (when.project !== undefined && !isCovered(subject.facts.projectRoot, when.project, subject.facts))
    return undefined;
  if (when.input !== undefined) {
    const text = inputText(subject.call.input, when.input.field);
    if (text === undefined || !occursIn(when.input.matches, text)) return undefined;
    matched = `${when.input.field}: ${text}`;
  }
  if (when.command !== undefined) {
    const condition = when.command;
    const command = subject.dissection.commands.find((candidate) => matchesCommand(condition, candidate));
    if (command === undefined) return undefined;
    matched = textOf(command);
  }
  if (when.path !== undefined) {
    const condition = when.path;
    const file = subject.files.find((candidate) => matchesFile(condition, candidate, subject.facts));
    if (file === undefined) return undefined;
    matched = file.word.text;
  }
  if (when.detect !== undefined) {
    const detected = detect(when.detect, subject);
    if (detected === undefined) return undefined;
    matched = detected;
  }
  return matched;
}

function matchesTool(tools: readonly string[], call: ToolCall): boolean {
  return tools.some((glob) => matchesGlob(glob, call.name) || matchesGlob(glob, call.commonName));
}

function matchesCommand({ program, args, matches }: CommandCondition, command: ShellCommand): boolean {
  const [first] = command.words;
  if (
    program !== undefined &&
    !(first !== undefined && program.some((name) => matchesProgram(name, first, programOf(command))))
  )
    return false;
  const given = argumentsOf(command).flatMap(({ text }) => [text, ...parts(text)]);
  if (
    args !== undefined &&
    !args.every((options) => options.some((glob) => given.some((text) => text === glob || matchesGlob(glob, text))))
  )
    return false;
  return matches === undefined || occursIn(matches, textOf(command));
}

/** A program given as a pattern, `/bin/r?`, may be any that the pattern matches. */
function matchesProgram(name: string, word: ShellWord, program: string): boolean {
  return (
    name === program || name === word.text || matchesGlob(name, program) || (word.hasGlob && matchesGlob(program, name))
  );
}

/** `-rf` is `-r` and `-f`; `--force=yes` is `--force`. */
function parts(text: string): readonly string[] {
  if (/^--[^=]+=/.test(text)) return [text.slice(0, text.indexOf("="))];
  return /^-[A-Za-z]{2,8}$/.test(text) ? Array.from(text.slice(1), (letter) => `-${letter}`) : [];
}

function textOf(command: ShellCommand): string {
  return [programOf(command), ...argumentsOf(command).map((word) => word.text)].join(" ");
}

function matchesFile(condition: PathCondition, file: SubjectFile, facts: PolicyFacts): boolean {
  if (condition.access !== undefined && !condition.access.includes(file.access)) return false;
  if (file.location.kind === "unknown") return false;
  const { path } = file.location;
  if (condition.outsideProject !== undefined && condition.outsideProject === isInsideProject(path, facts)) return false;
  const real = facts.realPath(path);
  const isIn = (globs: readonly string[]): boolean => isCovered(path, globs, facts) || isCovered(real, globs, facts);
  return (
    (condition.in === undefined || isIn(condition.in)) && (condition.notIn === undefined || !isIn(condition.notIn))
  );
}

function detect(condition: DetectorCondition, subject: CallSubject): string | undefined {
  switch (condition.name) {
    case "force-push":
      return detectForcePush(subject, condition.branches);
    case "delete-outside-project":
      return detectDeleteOutside(subject, condition.allow);
    case "write-outside-project":
      return detectWriteOutside(subject, condition.allow);
    case "read-secret-file":
      return detectSecretFile(subject, condition.files);
    case "pipe-to-shell":
      return detectPipeToShell(subject);
    case "unreadable-command":
      return detectUnreadable(subject);
  }
}
