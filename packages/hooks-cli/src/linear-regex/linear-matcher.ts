import { type CharacterSet, type Pattern, PatternError, parsePattern } from "./pattern-syntax.ts";

/** A step of a compiled pattern; numbers are the indices of the next steps. */
type Step =
  | { readonly kind: "set"; readonly set: CharacterSet; next: number }
  | { readonly kind: "assertion"; readonly at: "start" | "end" | "boundary" | "noBoundary"; next: number }
  | { readonly kind: "fork"; next: number; other: number }
  | { readonly kind: "accept" };

export interface LinearMatcher {
  /** Whether the pattern occurs in a text. Takes time linear in the text's length, whatever the pattern. */
  readonly matches: (text: string) => boolean;
}

export interface LinearMatcherOptions {
  readonly isCaseInsensitive?: boolean;
  /** Whether the pattern must match the entire text. */
  readonly isWhole?: boolean;
}

const MAX_STEPS = 5_000;

/**
 * Compiles a regular expression to a machine that follows all alternatives simultaneously, so that no text can make it
 * backtrack. Throws a PatternError if the pattern is unsupported or too large.
 */
export function compilePattern(source: string, options: LinearMatcherOptions = {}): LinearMatcher {
  const steps: Step[] = [];
  const accept = addStep(steps, { kind: "accept" });
  const pattern = parsePattern(source);
  const start = build(steps, options.isCaseInsensitive === true ? foldCase(pattern) : pattern, accept);
  const isWhole = options.isWhole === true;
  return { matches: (text) => run(steps, start, text, isWhole) };
}

function addStep(steps: Step[], step: Step): number {
  if (steps.length >= MAX_STEPS) throw new PatternError("the pattern is too large");
  steps.push(step);
  return steps.length - 1;
}

/** Adds the steps of a pattern that continues at `next`, and returns the first of them. */
function build(steps: Step[], pattern: Pattern, next: number): number {
  switch (pattern.kind) {
    case "empty":
      return next;
    case "set":
      return addStep(steps, { kind: "set", set: pattern.set, next });
    case "assertion":
      return addStep(steps, { kind: "assertion", at: pattern.at, next });
    case "sequence":
      return pattern.items.reduceRight((after, item) => build(steps, item, after), next);
    case "choice":
      return pattern.options
        .map((option) => build(steps, option, next))
        .reduceRight((other, first) => addStep(steps, { kind: "fork", next: first, other }));
    case "repeat":
      return buildRepeat(steps, pattern, next);
  }
}

function buildRepeat(steps: Step[], { item, min, max }: Extract<Pattern, { kind: "repeat" }>, next: number): number {
  let start = next;
  if (max === Infinity) {
    const fork: Step = { kind: "fork", next: 0, other: next };
    start = addStep(steps, fork);
    fork.next = build(steps, item, start);
  } else {
    for (let count = min; count < max; count += 1) {
      start = addStep(steps, { kind: "fork", next: build(steps, item, start), other: next });
    }
  }
  for (let count = 0; count < min; count += 1) {
    const before = start;
    start = build(steps, item, before);
    // An item that matches nothing adds no step, however often it is repeated.
    if (start === before) break;
  }
  return start;
}

function run(steps: readonly Step[], start: number, text: string, isWhole: boolean): boolean {
  /** For each step, the position at which it was last entered, so that none is entered twice at the same position. */
  const entered = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    if (at === 0 || !isWhole) current.push(start);
    const reached = expand(steps, current, text, at, entered);
    const isAccepted = reached.accepts && (!isWhole || at === text.length);
    if (isAccepted) return true;
    if (at === text.length) return false;
    const code = text.charCodeAt(at);
    current = [];
    for (const step of reached.sets) if (contains(step.set, code)) current.push(step.next);
    if (isWhole && current.length === 0) return false;
  }
  return false;
}

interface Reached {
  readonly sets: readonly Extract<Step, { kind: "set" }>[];
  readonly accepts: boolean;
}

/** Everything reachable from some steps without consuming a character. */
function expand(steps: readonly Step[], from: number[], text: string, at: number, entered: Int32Array): Reached {
  const sets: Extract<Step, { kind: "set" }>[] = [];
  let accepts = false;
  for (let index = from.pop(); index !== undefined; index = from.pop()) {
    if (entered[index] === at) continue;
    entered[index] = at;
    const step = steps[index];
    if (step === undefined) continue;
    if (step.kind === "accept") accepts = true;
    else if (step.kind === "set") sets.push(step);
    else if (step.kind === "fork") from.push(step.next, step.other);
    else if (assertionHolds(step.at, text, at)) from.push(step.next);
  }
  return { sets, accepts };
}

function assertionHolds(assertion: "start" | "end" | "boundary" | "noBoundary", text: string, at: number): boolean {
  if (assertion === "start") return at === 0;
  if (assertion === "end") return at === text.length;
  const isBoundary = isWordAt(text, at - 1) !== isWordAt(text, at);
  return assertion === "boundary" ? isBoundary : !isBoundary;
}

function isWordAt(text: string, at: number): boolean {
  return /^\w$/.test(text.charAt(at));
}

function contains(set: CharacterSet, code: number): boolean {
  for (const [from, to] of set.ranges) if (code >= from && code <= to) return !set.isNegated;
  return set.isNegated;
}

/** Adds the other case of every letter. */
function foldCase(pattern: Pattern): Pattern {
  switch (pattern.kind) {
    case "set":
      return { kind: "set", set: { ...pattern.set, ranges: pattern.set.ranges.flatMap(withOtherCase) } };
    case "sequence":
      return { kind: "sequence", items: pattern.items.map(foldCase) };
    case "choice":
      return { kind: "choice", options: pattern.options.map(foldCase) };
    case "repeat":
      return { ...pattern, item: foldCase(pattern.item) };
    case "empty":
    case "assertion":
      return pattern;
  }
}

function withOtherCase([from, to]: readonly [number, number]): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [[from, to]];
  if (from === to) {
    const letter = String.fromCharCode(from);
    for (const other of [letter.toLowerCase(), letter.toUpperCase()]) {
      if (other.length === 1 && other !== letter) ranges.push([other.charCodeAt(0), other.charCodeAt(0)]);
    }
    return ranges;
  }
  const [upperFrom, upperTo] = [Math.max(from, 65), Math.min(to, 90)];
  if (upperFrom <= upperTo) ranges.push([upperFrom + 32, upperTo + 32]);
  const [lowerFrom, lowerTo] = [Math.max(from, 97), Math.min(to, 122)];
  if (lowerFrom <= lowerTo) ranges.push([lowerFrom - 32, lowerTo - 32]);
  return ranges;
}
