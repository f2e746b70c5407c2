import { findEffectRule } from "../effects/effect-rules.ts";
import { BEYOND_LIMITS, findEffects } from "../effects/find-effects.ts";
import { losesFiles } from "../effects/unrecorded-files.ts";
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
import { withoutMarks } from "../shell/unknown.ts";
import { type ShellWord, textsOf } from "../shell/word-fields.ts";

export interface RuleMatch {
  readonly rule: Pick<Rule, "id" | "decision" | "reason">;
  /** What it matched in the call: a command, a file, part of a prompt. */
  readonly subject: string;
  /** Whether it belongs to routine work, so that nobody is asked if it cannot be undone. */
  readonly isRoutine?: boolean;
}

export interface Verdict {
  readonly decision: "allow" | Decision;
  /** Every rule that matched, the strictest first. */
  readonly matches: readonly RuleMatch[];
  /** Rules that were not evaluated, because the call was so large that time ran out. */
  readonly skippedRules: number;
  /** Whether it takes away or replaces files, so that the verdict depends on which are recorded. */
  readonly losesFiles: boolean;
}

export interface EvaluationLimits {
  readonly now: () => number;
  readonly budgetMs: number;
}

const STRICTNESS: Readonly<Record<Decision, number>> = { deny: 4, ask: 3, undo: 2, warn: 1 };
const MAX_SUBJECT_LENGTH = 300;

/**
 * Judges a tool call by every rule of a policy: the strictest matching rule decides. A command that could not be read as a whole
 * is treated as if it matched every rule about commands, since a limit would otherwise be a way around all of them.
 */
export function evaluateCall(policy: Policy, call: ToolCall, facts: PolicyFacts, limits: EvaluationLimits): Verdict {
  const subject = new CallSubject(call, facts);
  const effects = policy.effects === undefined ? [] : matchEffects(policy.effects, subject);
  const verdict = judge(policy, limits, effects, (rule) => matchRule(rule, subject));
  const isAllowed = verdict.decision === "undo" || verdict.decision === "warn" || verdict.decision === "allow";
  return { ...verdict, losesFiles: policy.effects !== undefined && isAllowed && mayLose(verdict, subject) };
}

function mayLose({ decision }: Pick<Verdict, "decision">, subject: CallSubject): boolean {
  return decision === "undo" || losesFiles(subject);
}

/** Judges a user's prompt, by the rules about prompts. */
export function evaluatePrompt(policy: Policy, prompt: string, limits: EvaluationLimits): Verdict {
  const verdict = judge(policy, limits, [], (rule) =>
    rule.when.prompt !== undefined && occursIn(rule.when.prompt, prompt) ? { rule, subject: "the prompt" } : undefined,
  );
  return { ...verdict, losesFiles: false };
}

/** The rules of packs that a call matches. What happens on another machine or in a container cannot be undone here. */
function matchEffects(effects: NonNullable<Policy["effects"]>, subject: CallSubject): readonly RuleMatch[] {
  const unread = subject.dissection.isCutOff
    ? Object.values(effects).map((decision) => unreadMatch(decision, subject))
    : [];
  const found = findEffects(subject).flatMap(({ rule: id, subject: text, isElsewhere, unrecorded }) => {
    const decision = effects[id];
    if (decision === undefined) return [];
    const reason = unrecorded === undefined ? reasonOf(id) : `Loses ${unrecorded}, which undo does not bring back.`;
    const rule = { id, decision: decision === "undo" && isElsewhere ? "ask" : decision, reason } as const;
    return [{ rule, subject: shortened(text), ...(findEffectRule(id)?.isRoutine && { isRoutine: true }) }];
  });
  return [...found, ...unread];
}

/** The match of a rule about commands that may or may not apply, since the command could not be read as a whole. */
function unreadMatch(decision: Decision, { dissection }: CallSubject): RuleMatch {
  return { rule: { id: BEYOND_LIMITS, decision, reason: reasonOf(BEYOND_LIMITS) }, subject: dissection.problem ?? "" };
}

function reasonOf(id: string): string {
  return findEffectRule(id)?.reason ?? id;
}

function shortened(subject: string): string {
  return withoutMarks(subject).slice(0, MAX_SUBJECT_LENGTH);
}

function judge(
  policy: Policy,
  { now, budgetMs }: EvaluationLimits,
  effects: readonly RuleMatch[],
  match: (rule: Rule) => RuleMatch | undefined,
): Omit<Verdict, "losesFiles"> {
  const end = now() + budgetMs;
  const matches = [...effects];
  let skippedRules = 0;
  for (const rule of policy.rules) {
    if (now() > end) {
      skippedRules += 1;
      continue;
    }
    const matched = match(rule);
    if (matched !== undefined) matches.push(matched);
  }
  matches.sort((a, b) => STRICTNESS[b.rule.decision] - STRICTNESS[a.rule.decision]);
  return { decision: matches[0]?.rule.decision ?? "allow", matches: withoutRepeats(matches), skippedRules };
}

/** However many rules a command that could not be read may match, it is listed once, by the strictest. */
function withoutRepeats(matches: readonly RuleMatch[]): readonly RuleMatch[] {
  const first = matches.findIndex(({ rule }) => rule.id === BEYOND_LIMITS);
  return matches.filter(({ rule }, index) => rule.id !== BEYOND_LIMITS || index === first);
}

function matchRule(rule: Rule, subject: CallSubject): RuleMatch | undefined {
  const { when } = rule;
  const applied = when.prompt === undefined ? matchCall(when, subject) : undefined;
  if (applied === undefined) return undefined;
  const matched = matchContent(when, subject, applied);
  if (matched !== undefined) return { rule, subject: shortened(matched) };
  return subject.dissection.isCutOff ? unreadMatch(rule.decision, subject) : undefined;
}

/** What matched of the conditions on the call as such; undefined if one of them does not match. */
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
  return matched;
}

/** What matched of the conditions on commands and files; `applied` if there are none, undefined if one does not match. */
function matchContent(when: RuleConditions, subject: CallSubject, applied: string): string | undefined {
  let matched = applied;
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
  return [programOf(command), ...textsOf(argumentsOf(command))].join(" ");
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
