import { foldText } from "../fold-text.ts";
import { queryWords, type QueryWord } from "./search-words.ts";

const MAX_WORDS = 32;
/** A query of up to so many words may be a part of a word, or no word at all, and is looked for as it is too. */
const MAX_LITERAL_WORDS = 2;

/** A search query. */
export interface SearchQuery {
  /** The whole query, folded like the texts that it is compared with. */
  readonly phrase: string;
  /** What is found by its stem. */
  readonly words: readonly QueryWord[];
  /** What is looked for as it is, anywhere in a text; empty in a longer query. */
  readonly literalWords: readonly string[];
  /** The last word, if it may be the beginning of a longer one, because the query is being typed. */
  readonly unfinishedWord?: string;
}

/** Null for a query that is empty, which finds everything. */
export function parseSearchQuery(query: string): SearchQuery | null {
  const phrase = foldText(query).trim();
  const all = [...new Set(phrase.split(/\s+/))].filter((word) => word !== "");
  if (all.length === 0) return null;
  const words = new Map(queryWords(query).map((word) => [word.text, word]));
  return {
    phrase,
    words: [...words.values()].slice(0, MAX_WORDS),
    literalWords: all.length <= MAX_LITERAL_WORDS ? all : [],
  };
}

/** Shorter words in Latin script begin too many others. */
const SHORT_BEGINNING = /^[\p{Script=Latin}\p{N}]{1,2}$/u;

/** Like {@link parseSearchQuery}, for a query that may not have been typed to its end. */
export function parseTypedQuery(query: string): SearchQuery | null {
  const parsed = parseSearchQuery(query);
  // The words of days that it names come after its own.
  const last = parsed?.words.reduce<QueryWord | undefined>(
    (one, other) => (one !== undefined && one.position >= other.position ? one : other),
    undefined,
  );
  if (parsed === null || last === undefined || SHORT_BEGINNING.test(last.text)) return parsed;
  return { ...parsed, unfinishedWord: last.text };
}
