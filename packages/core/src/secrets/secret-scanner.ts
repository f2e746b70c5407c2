import { createPatternTree, type PatternNode } from "./pattern-tree.ts";
import { BASE64, createBeginnings, HEX, PLAIN, type Notations } from "./secret-beginnings.ts";
import { base64Forms, findableTexts } from "./secret-forms.ts";
import { createReadings, ESCAPE_STARTS, hexDigit, PLUS, readEscapes } from "./text-escapes.ts";

export interface SecretValue {
  readonly key: string;
  readonly value: string;
}

/** What was found at a place. The object is reused by the next look. */
export interface Finding {
  /** Where the longest value that begins at the place ends; -1 where none does. */
  end: number;
  mark: string;
  /** The text ends within something that could become a value, or a longer one. */
  isOpen: boolean;
}

/** Looks for many values at once, in a time that does not depend on how many there are. */
export interface SecretScanner {
  /** The next place from `from` on at which a value begins or may begin; the text's length where there is none. */
  next(text: string, from: number): number;
  /** What begins at the place that `next` has answered last. */
  readonly finding: Readonly<Finding>;
}

/** One way in which values are written, and the tree of all values written so. */
interface Notation {
  readonly root: PatternNode;
  /** By code unit: 1 where a text may have to be read in more ways than one. */
  readonly isSpecial: Uint8Array;
  /** What a code unit stands for: base64 has two alphabets. */
  readonly fold: (code: number) => number;
  /** Lines may be broken anywhere. */
  readonly isWrapped: boolean;
}

interface State {
  readonly node: PatternNode;
  /** How much of the node's label is read. */
  readonly offset: number;
  readonly at: number;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d] as const;
const same = (code: number): number => code;
const foldBase64 = (code: number): number => (code === 0x2d ? 0x2b : code === 0x5f ? 0x2f : code);

/**
 * Finds values as they are; with any of their characters escaped (see {@link readEscapes}); in base64 of either alphabet at
 * any offset, with line breaks; in hexadecimal. Escapes are understood within base64 too.
 */
export function createSecretScanner(secrets: readonly SecretValue[]): SecretScanner {
  const texts = secrets.flatMap(({ key, value }) =>
    [...findableTexts(value)].map((text) => [text, mark(key)] as const),
  );
  const base64 = texts.flatMap(([text, name]) => base64Forms(text).map((form) => [form, name] as const));
  const bytes = texts.map(([text, name]) => [Buffer.from(text).toString("latin1"), name] as const);
  const plain: Notation = {
    root: createPatternTree(texts),
    isSpecial: flagsOf(texts.some(([text]) => text.includes(" ")) ? [...ESCAPE_STARTS, PLUS] : ESCAPE_STARTS),
    fold: same,
    isWrapped: false,
  };
  const wrapped: Notation = {
    root: createPatternTree(base64),
    isSpecial: flagsOf([...ESCAPE_STARTS, LINE_FEED, CARRIAGE_RETURN]),
    fold: foldBase64,
    isWrapped: true,
  };
  const hexRoot = createPatternTree(bytes);
  const beginnings = createBeginnings([
    [PLAIN, texts],
    [BASE64, base64],
    [HEX, bytes],
  ]);
  const finding: Finding = { end: -1, mark: "", isOpen: false };
  const readings = createReadings();

  function found(end: number, node: PatternNode): void {
    if (node.mark === null || end <= finding.end) return;
    finding.end = end;
    finding.mark = node.mark;
  }

  /** Adds where one more code unit leads to. */
  function step({ node, offset }: State, unit: number, at: number, into: State[]): void {
    const next =
      offset < node.label.length
        ? node.label.charCodeAt(offset) === unit && { node, offset: offset + 1, at }
        : arrive(node.children.get(unit), at);
    if (next !== false) push(next, into);
  }

  function arrive(node: PatternNode | undefined, at: number): State | false {
    return node !== undefined && { node, offset: 1, at };
  }

  function push(state: State, into: State[]): void {
    const { node, offset, at } = state;
    if (offset === node.label.length) {
      found(at, node);
      if (node.children.size === 0) return;
    }
    if (!into.some((other) => other.at === at && other.node === node && other.offset === offset)) into.push(state);
  }

  /** Goes on from a state as long as there is one way to read the text. */
  function runPlainly(text: string, from: State, { fold, isSpecial }: Notation): State | null {
    let { node, offset, at } = from;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isSpecial[code] === 1) return { node, offset, at };
      const unit = fold(code);
      if (offset < node.label.length) {
        if (node.label.charCodeAt(offset) !== unit) return null;
        offset += 1;
      } else {
        const child = node.children.get(unit);
        if (child === undefined) return null;
        node = child;
        offset = 1;
      }
      if (offset < node.label.length) continue;
      found(at + 1, node);
      if (node.children.size === 0) return null;
    }
    finding.isOpen = true;
    return null;
  }

  /** Where each way to read the text's next character leads to. */
  function branch(text: string, state: State, { fold, isSpecial, isWrapped, root }: Notation, into: State[]): void {
    const { node, at } = state;
    if (at >= text.length) {
      finding.isOpen = true;
      return;
    }
    const code = text.charCodeAt(at);
    const isBreak = (unit: number) => isWrapped && node !== root && (unit === LINE_FEED || unit === CARRIAGE_RETURN);
    if (isBreak(code)) push({ ...state, at: at + 1 }, into);
    else step(state, fold(code), at + 1, into);
    if (isSpecial[code] !== 1) return;
    readEscapes(text, at, readings);
    if (readings.isCut) finding.isOpen = true;
    for (let index = 0; index < readings.count; index += 1) {
      const end = readings.end[index] ?? at + 1;
      const [first = 0, second = 0] = [readings.first[index], readings.second[index]];
      if (isBreak(first)) push({ ...state, at: end }, into);
      else if (second === 0) step(state, fold(first), end, into);
      else {
        const between: State[] = [];
        step(state, first, end, between);
        for (const half of between) step(half, second, end, into);
      }
    }
  }

  function readNotation(text: string, start: number, notation: Notation): void {
    let states: State[] = [{ node: notation.root, offset: 0, at: start }];
    while (states.length > 0) {
      const [only] = states;
      if (states.length === 1 && only !== undefined) {
        const special = runPlainly(text, only, notation);
        if (special === null) return;
        states = [special];
      }
      const next: State[] = [];
      for (const state of states) branch(text, state, notation, next);
      states = next;
    }
  }

  function readHex(text: string, start: number): void {
    let node = hexRoot;
    let offset = 0;
    for (let at = start; ; at += 2) {
      if (at + 1 >= text.length) {
        finding.isOpen ||= at >= text.length || canContinue(node, offset, hexDigit(text.charCodeAt(at)));
        return;
      }
      const [high, low] = [hexDigit(text.charCodeAt(at)), hexDigit(text.charCodeAt(at + 1))];
      if (high < 0 || low < 0) return;
      const byte = high * 16 + low;
      if (offset < node.label.length) {
        if (node.label.charCodeAt(offset) !== byte) return;
        offset += 1;
      } else {
        const child = node.children.get(byte);
        if (child === undefined) return;
        node = child;
        offset = 1;
      }
      if (offset < node.label.length) continue;
      found(at + 2, node);
      if (node.children.size === 0) return;
    }
  }

  /** Whether something begins at the place, or may once the text goes on. */
  function look(text: string, at: number, notations: Notations): boolean {
    finding.end = -1;
    finding.isOpen = false;
    if ((notations & PLAIN) !== 0) readNotation(text, at, plain);
    if ((notations & BASE64) !== 0) readNotation(text, at, wrapped);
    if ((notations & HEX) !== 0) readHex(text, at);
    return finding.end !== -1 || finding.isOpen;
  }

  /** The notations with a value that may begin at a place where the text has to be read in several ways, or ends soon. */
  function judge(text: string, at: number): Notations {
    const code = text.charCodeAt(at);
    if (plain.isSpecial[code] === 1) return judgeEscaped(text, at, null) & ~HEX;
    if (at + 1 >= text.length) return beginnings.ofOne(code);
    const next = text.charCodeAt(at + 1);
    if (plain.isSpecial[next] === 1) return judgeEscaped(text, at + 1, code) & ~HEX;
    const isBroken = next === LINE_FEED || next === CARRIAGE_RETURN;
    return beginnings.ofTwo(code, next) | (isBroken ? beginnings.ofOne(code) & BASE64 : 0);
  }

  /** Judges a place by its first escape, and by what stands before that. */
  function judgeEscaped(text: string, at: number, before: number | null): Notations {
    const judgeUnit = (unit: number) => (before === null ? beginnings.ofOne(unit) : beginnings.ofTwo(before, unit));
    readEscapes(text, at, readings);
    let notations = judgeUnit(text.charCodeAt(at));
    for (let index = 0; index < readings.count; index += 1) {
      const unit = readings.first[index] ?? 0;
      notations |= judgeUnit(unit);
      if (unit === LINE_FEED || unit === CARRIAGE_RETURN) notations |= before === null ? 0 : BASE64;
    }
    return readings.isCut ? PLAIN | BASE64 : notations;
  }

  return {
    finding,
    next(text, from) {
      if (texts.length === 0) return text.length;
      const { addToHash, ofThree } = beginnings;
      const [inPlain, inWrapped] = [plain.isSpecial, wrapped.isSpecial];
      let specialAt = -1;
      let hash = 0;
      // Each place is judged by its first three code units, which settles nearly all of them.
      for (let ahead = from; ahead < text.length + 2; ahead += 1) {
        const code = ahead < text.length ? text.charCodeAt(ahead) : LINE_FEED;
        if (inPlain[code] === 1 || inWrapped[code] === 1) specialAt = ahead;
        hash = addToHash(hash, code);
        const at = ahead - 2;
        if (at < from) continue;
        let notations = ofThree(hash);
        if (specialAt >= at) notations |= judge(text, at);
        if (notations !== 0 && look(text, at, notations)) return at;
      }
      return text.length;
    },
  };
}

/** Whether a byte of which the first digit is known may come next. */
function canContinue(node: PatternNode, offset: number, highDigit: number): boolean {
  if (offset < node.label.length) return node.label.charCodeAt(offset) >> 4 === highDigit;
  return [...node.children.keys()].some((byte) => byte >> 4 === highDigit);
}

function mark(key: string): string {
  return `[secret ${key}]`;
}

function flagsOf(codes: readonly number[]): Uint8Array {
  const flags = new Uint8Array(0x1_00_00);
  for (const code of codes) flags[code] = 1;
  return flags;
}
