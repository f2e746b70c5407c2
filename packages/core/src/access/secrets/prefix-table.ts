import type { Pattern } from "./pattern-tree.ts";

/** A set of notations in which a value may start at a position, as bits. */
export type Notations = number;
export const [PLAIN, BASE64, HEX] = [1, 2, 4] as const;

/** The first characters of all values. May give false positives, never false negatives. */
export interface PrefixTable {
  /** A rolling hash of the last three code units. */
  addToHash(hash: number, code: number): number;
  /** By the hash of three code units. */
  ofThree(hash: number): Notations;
  /** By two code units. */
  ofTwo(first: number, second: number): Notations;
  ofOne(first: number): Notations;
}

const HASH_BITS = 18;
const CLASS_BITS = 8;

function addToHash(hash: number, code: number): number {
  return ((hash << 6) ^ (code & 0x7f)) & ((1 << HASH_BITS) - 1);
}

/** Takes the patterns of each notation: for HEX as bytes, for BASE64 in the first of its alphabets. */
export function createPrefixTable(
  patterns: readonly (readonly [notation: Notations, patterns: readonly Pattern[]])[],
): PrefixTable {
  const three = new Uint8Array(1 << HASH_BITS);
  const two = new Uint8Array(1 << (2 * CLASS_BITS));
  const one = new Uint8Array(1 << CLASS_BITS);

  function add(notation: Notations, start: string): void {
    const [first, second, third] = [start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2)];
    for (const a of variantsOf(first, notation)) {
      one[classOf(a)] = (one[classOf(a)] ?? 0) | notation;
      for (const b of variantsOf(second, notation)) {
        const pair = (classOf(a) << CLASS_BITS) | classOf(b);
        two[pair] = (two[pair] ?? 0) | notation;
        for (const c of variantsOf(third, notation)) {
          const hash = addToHash(addToHash(addToHash(0, a), b), c);
          three[hash] = (three[hash] ?? 0) | notation;
        }
      }
    }
  }

  for (const [notation, some] of patterns) {
    const starts = new Set(some.map(([text]) => (notation === HEX ? hexOf(text.slice(0, 2)) : text).slice(0, 3)));
    for (const start of starts) add(notation, start);
  }
  return {
    addToHash,
    ofThree: (hash) => three[hash] ?? 0,
    ofTwo: (first, second) => two[(classOf(first) << CLASS_BITS) | classOf(second)] ?? 0,
    ofOne: (first) => one[classOf(first)] ?? 0,
  };
}

function hexOf(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("hex");
}

/** ASCII characters keep their code; all others share the upper half. */
function classOf(code: number): number {
  return code < 0x80 ? code : 0x80 | (code & 0x7f);
}

/** How a character may be written in a notation without escapes. */
function variantsOf(code: number, notation: Notations): number[] {
  if (notation === HEX && code >= 0x61) return [code, code - 0x20];
  if (notation === BASE64 && code === 0x2b) return [code, 0x2d];
  if (notation === BASE64 && code === 0x2f) return [code, 0x5f];
  return [code];
}
