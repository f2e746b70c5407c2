import type { SearchWord } from "./search-words.ts";

/** Where in a text a word stands: in what it is mainly found by, in what adds to that, or in its date. */
export type SearchField = 0 | 1 | 2;

/** What a text is found by. */
export interface SearchVector {
  readonly words: readonly (SearchWord & { readonly field: SearchField })[];
  /** Lexemes that restrict a search. */
  readonly scopes: readonly string[];
}

export function inField(field: SearchField, words: readonly SearchWord[]): SearchVector["words"] {
  return words.map(({ text, position, dictionary }) => ({ text, position, dictionary, field }));
}
