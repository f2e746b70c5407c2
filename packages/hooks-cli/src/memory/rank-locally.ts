import { indexWords } from "./index-words.ts";
import type { LocalIndex } from "./local-index.ts";
import type { Memory } from "./memory.ts";

const MAX_WORDS = 32;
/** How much a memory's score falls with its length, as in the server's BM25. */
const K1 = 0.9;
const B = 0.4;
/** What makes a memory relevant, as on the server: an identifier, or words that make up a part of the rarity of all. */
const MIN_TERMS = 2;
const MIN_COVERAGE = 0.2;
/** What is found beside a relevant memory and not much worse is returned too. */
const MIN_SHARE_OF_BEST = 0.5;

interface Match {
  readonly number: number;
  terms: number;
  hasIdentifier: boolean;
  rarity: number;
  score: number;
}

/** The memories that have something to do with a prompt, best first, by the rules of the server; none if nothing has. */
export function rankLocally(
  index: LocalIndex,
  prompt: string,
  isWanted: (memory: Memory) => boolean,
  limit: number,
): Memory[] {
  const words = new Map(indexWords(prompt).map(({ term, isIdentifier }) => [term, isIdentifier]));
  const matches = new Map<number, Match>();
  const size = index.lengths.length;
  const averageLength = index.lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, size);
  let totalRarity = 0;
  for (const [term, isIdentifier] of [...words].slice(0, MAX_WORDS)) {
    const found = isIdentifier ? index.findIdentifier(term) : index.find(term);
    const rarity = Math.log(1 + (size - found.length + 0.5) / (found.length + 0.5));
    totalRarity += rarity;
    for (const { number, weight } of found) {
      const match = matches.get(number) ?? { number, terms: 0, hasIdentifier: false, rarity: 0, score: 0 };
      const norm = 1 + K1 * (1 - B + (B * (index.lengths[number] ?? averageLength)) / averageLength);
      match.terms += 1;
      match.hasIdentifier ||= isIdentifier;
      match.rarity += rarity;
      match.score += (weight * rarity) / norm;
      matches.set(number, match);
    }
  }
  const isRelevant = ({ hasIdentifier, terms, rarity }: Match): boolean =>
    hasIdentifier || (terms >= MIN_TERMS && rarity >= MIN_COVERAGE * totalRarity);
  const all = [...matches.values()];
  const best = Math.max(...all.filter(isRelevant).map(({ score }) => score));
  const kept: Memory[] = [];
  let isAnyRelevant = false;
  // Without a relevant memory the best score is negative infinity.
  const ranked = Number.isFinite(best) ? all.filter(({ score }) => score >= MIN_SHARE_OF_BEST * best) : [];
  for (const match of ranked.toSorted((one, other) => other.score - one.score || one.number - other.number)) {
    const memory = index.memory(match.number);
    if (memory === undefined || !isWanted(memory)) continue;
    kept.push(memory);
    isAnyRelevant ||= isRelevant(match);
    if (kept.length === limit) break;
  }
  // What is found beside memories that are not wanted says nothing without them.
  return isAnyRelevant ? kept : [];
}
