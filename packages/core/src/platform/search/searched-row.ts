import type { Queryable } from "@workspace/db";

/** A row of a table as the search over everything sees it. */
export interface SearchedRow {
  readonly id: string;
  /** What is shown for it: itself, or what it is a part of. */
  readonly shownId: string;
  readonly title: string;
  /** The text from which an excerpt is taken: Markdown, or plain. */
  readonly text: string;
  /** What it is found by besides. */
  readonly keywords?: string;
  readonly occurredAt: string;
  /** Where it is in the vault, by which access may be limited. */
  readonly path?: string;
  /** What else its URL needs. */
  readonly urlPart?: string;
}

/** Reads rows by their ids, except those that are deleted. */
export type ReadSearchedRows = (db: Queryable, ids: readonly string[]) => Promise<SearchedRow[]>;

/** So much of a text is searched, and looked through for an excerpt. */
export const MAX_SEARCHED_CHARACTERS = 50_000;
