import { foldText } from "../../platform/fold-text.ts";

/**
 * How many keys a text has of a kind, and how many of its smallest hashes go into each. Of two texts that have a share s of
 * their features in common, 1 - (1 - s^rows)^bands have a key in common. Unrelated short texts share up to a fifth of their
 * groups of letters, so four hashes make a key; unrelated long ones share hardly any pairs of words, so two are enough.
 */
const BANDS = 24;
const ROWS = { letters: 4, wordPairs: 2 };

/**
 * Short texts are compared by groups of three letters, so that another ending or order of words matters little. In long ones
 * these groups are nearly the same in all texts of a language, so pairs of words tell them apart. Texts of a length between
 * the two have keys of both kinds, so that they are found from either side.
 */
const LETTERS_UP_TO_WORDS = 60;
const WORD_PAIRS_FROM_WORDS = 36;

/**
 * Numbers by which memories that look alike are found (MinHash with banding). The alike ones of one project very probably
 * have at least one in common, others very probably none. What differs only in case, punctuation or the order of sentences
 * has nearly the same ones. Never empty.
 */
export function similarityKeys(content: string, projectPath: string | null): number[] {
  const words = foldText(content).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const keys = new Set<number>();
  if (words.length <= LETTERS_UP_TO_WORDS) addBandKeys(keys, letterGroups(words), ROWS.letters, projectPath);
  if (words.length >= WORD_PAIRS_FROM_WORDS) addBandKeys(keys, wordPairs(words), ROWS.wordPairs, projectPath);
  return [...keys];
}

function letterGroups(words: readonly string[]): Set<number> {
  const groups = new Set<number>();
  for (const word of words) {
    const padded = `  ${word} `;
    for (let end = 3; end <= padded.length; end += 1) groups.add(hashText(padded.slice(end - 3, end)));
  }
  return groups;
}

function wordPairs(words: readonly string[]): Set<number> {
  const hashes = words.map(hashText);
  const pairs = new Set<number>();
  for (let index = 1; index < hashes.length; index += 1) {
    pairs.add(mix(Math.imul(hashes[index - 1] ?? 0, 31) + (hashes[index] ?? 0)));
  }
  return pairs;
}

function addBandKeys(keys: Set<number>, features: ReadonlySet<number>, rows: number, projectPath: string | null): void {
  const scope = projectPath === null ? 0 : hashText(projectPath);
  for (let band = 0; band < BANDS; band += 1) {
    let key = mix(scope + Math.imul(rows, 1_000_003) + band);
    for (let row = 0; row < rows; row += 1) key = mix(Math.imul(key, 31) + smallestHash(features, band * rows + row));
    keys.add(key);
  }
}

/** The smallest of the features' hashes, each place hashing in its own way. */
function smallestHash(features: ReadonlySet<number>, place: number): number {
  const seed = mix(place + 1);
  let smallest = 0x7fffffff;
  for (const feature of features) {
    const hash = mix(feature ^ seed);
    if (hash < smallest) smallest = hash;
  }
  return smallest;
}

/** FNV-1a. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mix(hash);
}

/** Spreads the bits of a 32-bit number over all of its bits, without losing any: the last steps of MurmurHash3. */
function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
