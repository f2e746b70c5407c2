import type { Ranker } from "@workspace/core/testing";

const K1 = 1.2;
const B = 0.75;

const STOP_WORDS = new Set(
  (
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its " +
    "itself they them their theirs themselves what which who whom this that these those am is are was were be been being have " +
    "has had having do does did doing a an the and but if or because as until while of at by for with about against between " +
    "into through during before after above below to from up down in out on off over under again further then once here there " +
    "when where why how all any both each few more most other some such no nor not only own same so than too very s t can will " +
    "just don should now"
  ).split(" "),
);

/** Ranks texts by BM25 with the usual parameters, over their words without stop words, reduced to stems. */
export function createBm25(texts: readonly string[], stem: (word: string) => string): Ranker {
  const documents = texts.map((text) => countWords(text, stem));
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  return ({ text: query }) => {
    const scores = documents.map(() => 0);
    for (const word of countWords(query, stem).counts.keys()) {
      const found = documents.filter(({ counts }) => counts.has(word)).length;
      const rarity = Math.log(1 + (documents.length - found + 0.5) / (found + 0.5));
      for (const [index, { counts, length }] of documents.entries()) {
        const count = counts.get(word) ?? 0;
        const saturated = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / averageLength));
        scores[index] = (scores[index] ?? 0) + rarity * saturated;
      }
    }
    return [...scores.keys()]
      .filter((index) => (scores[index] ?? 0) > 0)
      .toSorted((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  };
}

function countWords(text: string, stem: (word: string) => string): { counts: Map<string, number>; length: number } {
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: words.length };
}
