import { Cursor } from "../text/cursor.ts";

/** A pattern as a tree. Repetition counts are bounded by the parser. */
export type Pattern =
  | { readonly kind: "empty" }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly at: Assertion }
  | { readonly kind: "sequence"; readonly items: readonly Pattern[] }
  | { readonly kind: "choice"; readonly options: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly item: Pattern; readonly min: number; readonly max: number };

export type Assertion = "start" | "end" | "boundary" | "noBoundary";

type Ranges = readonly (readonly [number, number])[];

/** Ranges of UTF-16 code units, both ends included. */
export interface CharacterSet {
  readonly ranges: Ranges;
  readonly isNegated: boolean;
}

export class PatternError extends Error {
  override readonly name = "PatternError";
}

const MAX_REPEAT = 200;
const MAX_DEPTH = 50;
const LINE_ENDS = rangesOf("\n\n\r\r\u2028\u2029");
const CLASSES: Readonly<Record<string, Ranges>> = {
  d: rangesOf("09"),
  w: rangesOf("09AZ__az"),
  s: rangesOf("\t\r  \u00A0\u00A0\u2028\u2029\uFEFF\uFEFF"),
};
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", 0: "\0" };

/** Pairs of characters, the first and the last of each range. */
function rangesOf(pairs: string): Ranges {
  return Array.from({ length: pairs.length / 2 }, (_, index) => [
    pairs.charCodeAt(index * 2),
    pairs.charCodeAt(index * 2 + 1),
  ]);
}

/**
 * Parses the part of JavaScript's regular expressions that can be matched in linear time: everything but back references and
 * lookaround. Throws a PatternError that says what is not supported, and where.
 */
export function parsePattern(source: string): Pattern {
  const cursor = new Cursor(source);
  const pattern = readChoice(cursor, 0);
  if (!cursor.isAtEnd) fail(cursor, "unmatched closing parenthesis");
  return pattern;
}

function fail({ at }: Cursor, what: string): never {
  throw new PatternError(`${what} at character ${at + 1}`);
}

function readChoice(cursor: Cursor, depth: number): Pattern {
  if (depth > MAX_DEPTH) fail(cursor, "groups are nested too deeply");
  const first = readSequence(cursor, depth);
  const options = [first];
  while (cursor.take("|")) options.push(readSequence(cursor, depth));
  return options.length === 1 ? first : { kind: "choice", options };
}

function readSequence(cursor: Cursor, depth: number): Pattern {
  const items: Pattern[] = [];
  while (/[^|)]/.test(cursor.peek())) items.push(readRepeated(cursor, depth));
  const [only] = items;
  if (only === undefined) return { kind: "empty" };
  return items.length === 1 ? only : { kind: "sequence", items };
}

function readRepeated(cursor: Cursor, depth: number): Pattern {
  const isGroup = cursor.peek() === "(";
  const item = readAtom(cursor, depth);
  const counts = readCounts(cursor);
  if (counts === undefined) return item;
  if (item.kind === "assertion" && !isGroup) fail(cursor, "an assertion cannot be repeated");
  // Laziness affects what is captured, not whether there is a match.
  cursor.take("?");
  if (readCounts(cursor) !== undefined) fail(cursor, "nothing to repeat");
  return { kind: "repeat", item, ...counts };
}

function readCounts(cursor: Cursor): { min: number; max: number } | undefined {
  if (cursor.take("*")) return { min: 0, max: Infinity };
  if (cursor.take("+")) return { min: 1, max: Infinity };
  if (cursor.take("?")) return { min: 0, max: 1 };
  const [, first, upper] = /^\{(\d+)(,\d*)?\}$/.exec(cursor.match(/\{\d+(?:,\d*)?\}/y) ?? "") ?? [];
  if (first === undefined) return undefined;
  const min = Number(first);
  const max = upper === undefined ? min : upper === "," ? Infinity : Number(upper.slice(1));
  if (min > MAX_REPEAT || (max > MAX_REPEAT && max < Infinity)) fail(cursor, `more than ${MAX_REPEAT} repetitions`);
  if (max < min) fail(cursor, "bounds in the wrong order");
  return { min, max };
}

function readAtom(cursor: Cursor, depth: number): Pattern {
  if (cursor.take("(")) return readGroup(cursor, depth);
  if (cursor.take("[")) return { kind: "set", set: readClass(cursor) };
  if (cursor.take(".")) return { kind: "set", set: { ranges: LINE_ENDS, isNegated: true } };
  if (cursor.take("^")) return { kind: "assertion", at: "start" };
  if (cursor.take("$")) return { kind: "assertion", at: "end" };
  if (/[*+?]/.test(cursor.peek())) fail(cursor, "nothing to repeat");
  if (!cursor.take("\\")) return literal(cursor.next());
  if (cursor.take("b")) return { kind: "assertion", at: "boundary" };
  if (cursor.take("B")) return { kind: "assertion", at: "noBoundary" };
  const set = readEscapedSet(cursor);
  return set === undefined ? literal(readEscaped(cursor)) : { kind: "set", set };
}

function literal(character: string): Pattern {
  return { kind: "set", set: { ranges: rangesOf(character + character), isNegated: false } };
}

function readGroup(cursor: Cursor, depth: number): Pattern {
  if (cursor.take("?") && cursor.match(/:|<[A-Za-z_]\w*>/y) === undefined)
    fail(cursor, "lookaround and flags are not supported");
  const pattern = readChoice(cursor, depth + 1);
  if (!cursor.take(")")) fail(cursor, "unclosed group");
  return pattern;
}

/** After a backslash: a class like `\d`, or undefined. */
function readEscapedSet(cursor: Cursor): CharacterSet | undefined {
  const character = cursor.peek();
  const ranges = CLASSES[character.toLowerCase()];
  if (ranges === undefined) return undefined;
  cursor.at += 1;
  return { ranges, isNegated: character !== character.toLowerCase() };
}

/** After a backslash: the character it stands for. */
function readEscaped(cursor: Cursor): string {
  const hex = cursor.match(/x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}/y);
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex.slice(1), 16));
  const character = cursor.peek();
  const control = CONTROLS[character];
  if (control === undefined && !/[^0-9A-Za-z]/.test(character))
    fail(cursor, `the escape \\${character} is not supported`);
  cursor.at += 1;
  return control ?? character;
}

/** After the opening bracket, up to and including the closing one. */
function readClass(cursor: Cursor): CharacterSet {
  const isNegated = cursor.take("^");
  const ranges: (readonly [number, number])[] = [];
  while (!cursor.take("]")) {
    if (cursor.isAtEnd) fail(cursor, "unclosed character class");
    const from = readClassItem(cursor);
    const isRange = typeof from === "string" && cursor.peek() === "-" && /[^\]]/.test(cursor.peek(1));
    if (isRange) cursor.at += 1;
    const to = isRange ? readClassItem(cursor) : from;
    if (typeof from !== "string") ranges.push(...from);
    else if (typeof to !== "string" || to < from) fail(cursor, "invalid range");
    else ranges.push(...rangesOf(from + to));
  }
  return { ranges, isNegated };
}

/** One character, or the ranges of a class like `\d`. */
function readClassItem(cursor: Cursor): string | Ranges {
  if (!cursor.take("\\")) return cursor.next();
  if (cursor.take("b")) return "\b";
  const set = readEscapedSet(cursor);
  if (set === undefined) return readEscaped(cursor);
  return set.isNegated ? invert(set.ranges) : set.ranges;
}

/** Everything outside the given ranges, which are in order. */
function invert(ranges: Ranges): Ranges {
  const starts = [0, ...ranges.map(([, to]) => to + 1)];
  const ends = [...ranges.map(([from]) => from - 1), 0xffff];
  return starts.map((start, index) => [start, ends[index] ?? start]);
}
