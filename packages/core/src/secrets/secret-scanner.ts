import { createPatternTree, type PatternNode } from "./pattern-tree.ts";
import { BASE64, createBeginnings, HEX, PLAIN, type Notations } from "./secret-beginnings.ts";
import { createScanStates, type ScanState, type ScanStates } from "./scan-states.ts";
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
  /** There was too much to look at: what begins here and later is unknown. */
  isTooHard: boolean;
}

/** Looks for many values at once, in a time that depends on the text's length alone. */
export interface SecretScanner {
  /** To be called before the first look at a text. */
  begin(text: string): void;
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

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d] as const;
const isBreak = (unit: number): boolean => unit === LINE_FEED || unit === CARRIAGE_RETURN;

/**
 * What may be spent on looking closer, in steps of up to ten nanoseconds. A text that agrees with values nearly everywhere would
 * need the product of both lengths, and with escapes more; no text does so by chance.
 */
const [EFFORT, EFFORT_PER_CHARACTER] = [1_000_000, 3] as const;
const [LOOK_EFFORT, HEX_EFFORT, BRANCH_EFFORT] = [5, 2, 12] as const;

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
  const finding: Finding = { end: -1, mark: "", isOpen: false, isTooHard: false };
  const readings = createReadings();
  const reached: Pick<ScanState, "node" | "offset"> = { node: plain.root, offset: 0 };
  const [statesA, statesB] = [createScanStates(), createScanStates()];
  let readAt = -1;
  let effort = 0;

  /** A place is judged together with the one before, so it is often read twice in a row. */
  function read(text: string, at: number): void {
    if (at === readAt) return;
    readAt = at;
    readEscapes(text, at, readings);
  }

  function found(end: number, node: PatternNode): void {
    if (node.mark === null || end <= finding.end) return;
    finding.end = end;
    finding.mark = node.mark;
  }

  /** Takes one more code unit; false where no value goes on with it. The answer is left in `reached`. */
  function advance(node: PatternNode, offset: number, unit: number): boolean {
    if (offset < node.label.length) {
      reached.node = node;
      reached.offset = offset + 1;
      return node.label.charCodeAt(offset) === unit;
    }
    const child = node.children.get(unit);
    if (child === undefined) return false;
    reached.node = child;
    reached.offset = 1;
    return true;
  }

  function step(node: PatternNode, offset: number, unit: number, at: number, into: ScanStates): void {
    if (advance(node, offset, unit)) add(reached.node, reached.offset, at, into);
  }

  function add(node: PatternNode, offset: number, at: number, into: ScanStates): void {
    if (offset === node.label.length) {
      found(at, node);
      if (node.children.size === 0) return;
    }
    effort -= into.count;
    into.add(node, offset, at);
  }

  /** Goes on from the one state as long as there is one way to read the text; whether there are more ways then. */
  function runPlainly(text: string, states: ScanStates, { fold, isSpecial }: Notation): boolean {
    const [state] = states.items;
    if (state === undefined) return false;
    let { node, offset } = state;
    for (let { at } = state; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (isSpecial[code] === 1) {
        effort -= at - state.at;
        state.node = node;
        state.offset = offset;
        state.at = at;
        return true;
      }
      if (!advance(node, offset, fold(code))) {
        effort -= at - state.at;
        return false;
      }
      ({ node, offset } = reached);
      if (offset < node.label.length) continue;
      found(at + 1, node);
      if (node.children.size === 0) {
        effort -= at - state.at;
        return false;
      }
    }
    effort -= text.length - state.at;
    finding.isOpen = true;
    return false;
  }

  /** Where each way to read the text's next character leads to. */
  function branch(text: string, { node, offset, at }: ScanState, notation: Notation, into: ScanStates): void {
    const { fold, isSpecial, isWrapped, root } = notation;
    effort -= BRANCH_EFFORT;
    if (at >= text.length) {
      finding.isOpen = true;
      return;
    }
    const code = text.charCodeAt(at);
    const mayBreak = isWrapped && node !== root;
    if (mayBreak && isBreak(code)) add(node, offset, at + 1, into);
    else step(node, offset, fold(code), at + 1, into);
    if (isSpecial[code] !== 1) return;
    read(text, at);
    if (readings.isCut) finding.isOpen = true;
    for (let index = 0; index < readings.count; index += 1) {
      const end = readings.end[index] ?? at + 1;
      const first = readings.first[index] ?? 0;
      const second = readings.second[index] ?? 0;
      if (mayBreak && isBreak(first)) add(node, offset, end, into);
      else if (second === 0) step(node, offset, fold(first), end, into);
      else if (advance(node, offset, first)) step(reached.node, reached.offset, second, end, into);
    }
  }

  function readNotation(text: string, start: number, notation: Notation): void {
    let [states, next] = [statesA, statesB];
    states.count = 0;
    states.add(notation.root, 0, start);
    while (states.count > 0 && effort > 0) {
      if (states.count === 1 && !runPlainly(text, states, notation)) return;
      next.count = 0;
      for (let index = 0; index < states.count; index += 1) {
        const state = states.items[index];
        if (state !== undefined) branch(text, state, notation, next);
      }
      [states, next] = [next, states];
    }
  }

  function readHex(text: string, start: number): void {
    let node = hexRoot;
    let offset = 0;
    for (let at = start; ; at += 2) {
      effort -= HEX_EFFORT;
      if (at + 1 >= text.length) {
        finding.isOpen ||= at >= text.length || canContinue(node, offset, hexDigit(text.charCodeAt(at)));
        return;
      }
      const [high, low] = [hexDigit(text.charCodeAt(at)), hexDigit(text.charCodeAt(at + 1))];
      if (high < 0 || low < 0 || !advance(node, offset, high * 16 + low)) return;
      ({ node, offset } = reached);
      if (offset < node.label.length) continue;
      found(at + 2, node);
      if (node.children.size === 0) return;
    }
  }

  /** Whether something begins at the place, or may once the text goes on. */
  function look(text: string, at: number, notations: Notations): boolean {
    finding.end = -1;
    finding.isOpen = false;
    effort -= LOOK_EFFORT;
    if ((notations & PLAIN) !== 0) readNotation(text, at, plain);
    if ((notations & BASE64) !== 0) readNotation(text, at, wrapped);
    if ((notations & HEX) !== 0) readHex(text, at);
    finding.isTooHard = effort <= 0;
    return finding.end !== -1 || finding.isOpen || finding.isTooHard;
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

  function judgeUnit(before: number | null, unit: number): Notations {
    return before === null ? beginnings.ofOne(unit) : beginnings.ofTwo(before, unit);
  }

  /** Judges a place by its first escape, and by what stands before that. */
  function judgeEscaped(text: string, at: number, before: number | null): Notations {
    read(text, at);
    let notations = judgeUnit(before, text.charCodeAt(at));
    for (let index = 0; index < readings.count; index += 1) {
      const unit = readings.first[index] ?? 0;
      notations |= judgeUnit(before, unit);
      if (unit === LINE_FEED || unit === CARRIAGE_RETURN) notations |= before === null ? 0 : BASE64;
    }
    return readings.isCut ? PLAIN | BASE64 : notations;
  }

  return {
    finding,
    begin(text) {
      effort = EFFORT + EFFORT_PER_CHARACTER * text.length;
      finding.isTooHard = false;
      readAt = -1;
    },
    next(text, from) {
      if (texts.length === 0) return text.length;
      const { addToHash, ofThree } = beginnings;
      const [inPlain, inWrapped] = [plain.isSpecial, wrapped.isSpecial];
      let specialAt = -1;
      let wrappedSpecialAt = -1;
      let hash = 0;
      // Each place is judged by its first three code units, which settles nearly all of them.
      for (let ahead = from; ahead < text.length + 2; ahead += 1) {
        const code = ahead < text.length ? text.charCodeAt(ahead) : LINE_FEED;
        if (inPlain[code] === 1) specialAt = ahead;
        if (inWrapped[code] === 1) wrappedSpecialAt = ahead;
        hash = addToHash(hash, code);
        const at = ahead - 2;
        if (at < from) continue;
        let notations = ofThree(hash);
        if (wrappedSpecialAt >= at) notations |= judge(text, at);
        else if (specialAt >= at) notations |= judge(text, at) & PLAIN;
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
