import { foldText } from "../platform/fold-text.ts";

const MAX_WORDS = 12;
const MIN_WORD_LENGTH = 3;
/** From here on a query is taken for a question, whose words need not all occur in an answer. */
const QUESTION_WORDS = 3;

/** Words that questions are made of and that say nothing about what is asked for. */
const FILLERS = new Set(
  (
    "about all and any are can could did does for from get had has have how into its our out should that the their them " +
    "then there these they this use used using was were what when where which who why will with would you your"
  ).split(" "),
);

/** Endings by which words of one stem differ; what is left finds all of them. */
const ENDING = /^([a-z]+?)(?:ies|ing|ed|es|s)$/;
const MIN_STEM_LENGTH = 4;

/** A search query, folded like the texts that it is compared with. */
export interface SearchQuery {
  readonly phrase: string;
  readonly words: readonly string[];
  /** How many of the words a memory must contain to be found, unless no memory contains that many. */
  readonly minMatches: number;
}

/**
 * One or two words are looked for as they are, and all of them. Of a longer query, the stems of the words that carry its
 * meaning, and at least half of those. Null for a query without any word, which finds everything.
 */
export function parseSearchQuery(query: string): SearchQuery | null {
  const phrase = foldText(query).trim();
  const all = [...new Set(phrase.split(/\s+/))].filter((word) => word !== "");
  if (all.length === 0) return null;
  if (all.length < QUESTION_WORDS) return { phrase, words: all, minMatches: all.length };
  const telling = all.map(trimPunctuation).filter((word) => word.length >= MIN_WORD_LENGTH && !FILLERS.has(word));
  const words = [...new Set(telling.length === 0 ? all : telling.map(stem))].slice(0, MAX_WORDS);
  return { phrase, words, minMatches: Math.ceil(words.length / 2) };
}

function trimPunctuation(word: string): string {
  return word.replace(/^[("'`]+/, "").replace(/(?<![)"'`?!.,;:])[)"'`?!.,;:]+$/, "");
}

function stem(word: string): string {
  const stemmed = word.replace(ENDING, "$1");
  return stemmed.length >= MIN_STEM_LENGTH ? stemmed : word;
}
