import { CARRIAGE_RETURN, isLineBreak, LINE_FEED } from "./line-breaks.ts";
import { advance, createPatternTree, type Pattern, type PatternNode, type TreePosition } from "./pattern-tree.ts";
import { createScanStates, type ScanState, type ScanStates } from "./scan-states.ts";
import { recordMatch, type Scan } from "./scan.ts";
import { ESCAPE_STARTS, PLUS, type EscapeReader } from "./text-escapes.ts";

/** One way of writing values, and the tree of all values written that way. */
export interface Notation {
  readonly root: PatternNode;
  /** By code unit: 1 if the text may have more than one reading there. */
  readonly isSpecial: Uint8Array;
  /** Maps a code unit to the one used in the tree: base64 has two alphabets. */
  readonly fold: (code: number) => number;
  /** Lines may be broken anywhere. */
  readonly isWrapped: boolean;
}

/** Values as they are. */
export function createPlainNotation(patterns: readonly Pattern[]): Notation {
  const hasSpaces = patterns.some(([text]) => text.includes(" "));
  return {
    root: createPatternTree(patterns),
    isSpecial: flagsOf(hasSpaces ? [...ESCAPE_STARTS, PLUS] : ESCAPE_STARTS),
    fold: (code) => code,
    isWrapped: false,
  };
}

/** Values in base64; the patterns are in the first of its alphabets. */
export function createBase64Notation(patterns: readonly Pattern[]): Notation {
  return {
    root: createPatternTree(patterns),
    isSpecial: flagsOf([...ESCAPE_STARTS, LINE_FEED, CARRIAGE_RETURN]),
    fold: (code) => (code === 0x2d ? 0x2b : code === 0x5f ? 0x2f : code),
    isWrapped: true,
  };
}

/** What following several readings of one character costs, in steps of the budget. */
const BRANCH_COST = 20;

/** Finds the longest value in a notation that starts at a position, and records it in the scan. */
export function createNotationMatcher(
  { root, isSpecial, fold, isWrapped }: Notation,
  scan: Scan,
  escapes: EscapeReader,
): (text: string, start: number) => void {
  const { finding } = scan;
  const reached: TreePosition = { node: root, offset: 0 };
  const [statesA, statesB] = [createScanStates(), createScanStates()];

  function add(node: PatternNode, offset: number, at: number, into: ScanStates): void {
    if (offset === node.label.length) {
      recordMatch(scan, at, node);
      if (node.children.size === 0) return;
    }
    scan.budget -= into.count;
    into.add(node, offset, at);
  }

  /** Goes on after a line break, which is no part of what ends before it. */
  function skip(node: PatternNode, offset: number, at: number, into: ScanStates): void {
    if (offset === node.label.length && node.children.size === 0) return;
    scan.budget -= into.count;
    into.add(node, offset, at);
  }

  function step(node: PatternNode, offset: number, unit: number, at: number, into: ScanStates): void {
    if (advance(node, offset, unit, reached)) add(reached.node, reached.offset, at, into);
  }

  /** Follows a state for as long as the text has a single reading. Returns whether it reached a place with several. */
  function followSingleReading(text: string, state: ScanState): boolean {
    let { node, offset, at } = state;
    const start = at;
    let isBranching = false;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      isBranching = isSpecial[code] === 1;
      if (isBranching || !advance(node, offset, fold(code), reached)) break;
      ({ node, offset } = reached);
      if (offset < node.label.length) continue;
      recordMatch(scan, at + 1, node);
      if (node.children.size === 0) break;
    }
    scan.budget -= at - start;
    if (at === text.length) finding.isPartial = true;
    if (isBranching) {
      state.node = node;
      state.offset = offset;
      state.at = at;
    }
    return isBranching;
  }

  /** Adds the states that the readings of the next character lead to. */
  function branch(text: string, { node, offset, at }: ScanState, into: ScanStates): void {
    scan.budget -= BRANCH_COST;
    if (at >= text.length) {
      finding.isPartial = true;
      return;
    }
    const code = text.charCodeAt(at);
    const mayBreak = isWrapped && node !== root;
    if (mayBreak && isLineBreak(code)) skip(node, offset, at + 1, into);
    else step(node, offset, fold(code), at + 1, into);
    if (isSpecial[code] !== 1) return;
    const readings = escapes.read(text, at);
    if (readings.isCut) finding.isPartial = true;
    for (let index = 0; index < readings.count; index += 1) {
      const end = readings.end[index] ?? at + 1;
      const first = readings.first[index] ?? 0;
      const second = readings.second[index] ?? 0;
      if (mayBreak && isLineBreak(first)) skip(node, offset, end, into);
      else if (second === 0) step(node, offset, fold(first), end, into);
      else if (advance(node, offset, first, reached)) step(reached.node, reached.offset, second, end, into);
    }
  }

  return (text, start) => {
    let [states, next] = [statesA, statesB];
    states.count = 0;
    states.add(root, 0, start);
    while (states.count > 0 && scan.budget > 0) {
      const [only] = states.items;
      if (states.count === 1 && only !== undefined && !followSingleReading(text, only)) return;
      next.count = 0;
      for (let index = 0; index < states.count; index += 1) {
        const state = states.items[index];
        if (state !== undefined) branch(text, state, next);
      }
      [states, next] = [next, states];
    }
  };
}

function flagsOf(codes: readonly number[]): Uint8Array {
  const flags = new Uint8Array(0x1_00_00);
  for (const code of codes) flags[code] = 1;
  return flags;
}
