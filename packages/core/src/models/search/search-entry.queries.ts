import { column, defineCommand, defineQuery, SearchSource, type PoolClient, type Queryable } from "@workspace/db";
import {
  isSpelled,
  quotedLexeme,
  SEARCH_VECTORS,
  vectorParameters,
} from "../../platform/search/search-vector.queries.ts";
import type { SearchVector } from "../../platform/search/search-vector.ts";

const indexLock = defineQuery({
  name: "try-lock-search-index",
  row: { isLocked: column.boolean.neverNull },
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('workspace:search-index', 0)) AS "isLocked"`,
});

/** Whether this transaction is now the only one of all processes that writes search entries. */
export async function tryLockSearchIndex(db: PoolClient): Promise<boolean> {
  return (await indexLock.one(db)).isLocked;
}

const takenChanges = defineQuery({
  name: "take-search-changes",
  row: { source: column.oneOf(SearchSource), sourceId: column.uuid },
  text: `
    DELETE FROM search_changes WHERE number IN (SELECT number FROM search_changes ORDER BY number DESC LIMIT $1)
    RETURNING source, source_id AS "sourceId"`,
});

export interface ChangedRow {
  readonly source: SearchSource;
  readonly sourceId: string;
}

/** Removes the last changes from those that are pending and returns them. */
export function takeSearchChanges(db: PoolClient, limit: number): Promise<ChangedRow[]> {
  return takenChanges.all(db, [limit]);
}

/** A row as it is found by a search. */
export interface SearchEntry extends ChangedRow, SearchVector {
  readonly shownId: string;
  readonly title: string;
  readonly occurredAt: string;
}

const storedEntries = defineCommand({
  name: "store-search-entries",
  text: `
    WITH ${SEARCH_VECTORS},
    new_words AS (
      INSERT INTO search_words (word)
      SELECT DISTINCT lexeme FROM lexemes
      WHERE ${isSpelled("lexeme")} AND NOT EXISTS (SELECT FROM search_words WHERE word = lexeme COLLATE "C")
    )
    INSERT INTO search_entries (source, source_id, shown_id, title, occurred_at, dictionary, vector)
    SELECT source, source_id, shown_id, title, occurred_at, dictionary, vector
    FROM unnest($8::search_source[], $9::uuid[], $10::text[], $11::text[], $12::timestamptz[])
      WITH ORDINALITY AS e (source, source_id, shown_id, title, occurred_at, number) JOIN search_vectors USING (number)
    ON CONFLICT (source, source_id) DO UPDATE SET shown_id = EXCLUDED.shown_id, title = EXCLUDED.title,
      occurred_at = EXCLUDED.occurred_at, dictionary = EXCLUDED.dictionary, vector = EXCLUDED.vector`,
});

/** Has rows found by these entries from now on. Each row may be there once. */
export async function storeSearchEntries(db: Queryable, entries: readonly SearchEntry[]): Promise<void> {
  await storedEntries.run(db, [
    ...vectorParameters(entries),
    entries.map(({ source }) => source),
    entries.map(({ sourceId }) => sourceId),
    entries.map(({ shownId }) => shownId),
    entries.map(({ title }) => title),
    entries.map(({ occurredAt }) => occurredAt),
  ]);
}

const deletedEntries = defineCommand({
  name: "delete-search-entries",
  text: `
    DELETE FROM search_entries USING unnest($1::search_source[], $2::uuid[]) AS gone (source, source_id)
    WHERE search_entries.source = gone.source AND search_entries.source_id = gone.source_id`,
});

export async function deleteSearchEntries(db: Queryable, rows: readonly ChangedRow[]): Promise<void> {
  await deletedEntries.run(db, [rows.map(({ source }) => source), rows.map(({ sourceId }) => sourceId)]);
}

const unusedWords = defineQuery({
  name: "delete-unused-words-of-search",
  row: { lastId: column.integer.nullable },
  text: `
    WITH slice AS MATERIALIZED (SELECT id, word FROM search_words WHERE id > $1 ORDER BY id LIMIT $2),
    unused AS (
      DELETE FROM search_words USING slice
      WHERE search_words.id = slice.id AND NOT EXISTS (
        SELECT FROM search_entries WHERE vector @@ (${quotedLexeme("slice.word")})::tsquery
      )
    )
    SELECT max(id) AS "lastId" FROM slice`,
});

/** Of the words by which misspelt ones are corrected, deletes those that no entry has; returns the last id, null at the end. */
export async function deleteUnusedWords(
  db: Queryable,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number | null> {
  return (await unusedWords.one(db, [afterId, limit])).lastId;
}
