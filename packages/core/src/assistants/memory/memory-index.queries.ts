import { column, defineQuery, type PoolClient, type RowOf } from "@workspace/db";
import { quotedLexeme } from "../../platform/search/search-vector.queries.ts";

/** What a memory is found by. */
export const INDEXED = {
  id: column.uuid,
  content: column.text,
  sourceExcerpt: column.text.nullable,
  projectPath: column.text.nullable,
  createdAt: column.timestamp,
};
export type IndexedMemory = Readonly<RowOf<typeof INDEXED>>;

const unindexedMemories = defineQuery({
  name: "select-unindexed-memories",
  row: INDEXED,
  text: `
    SELECT m.id, m.content, m.source_excerpt AS "sourceExcerpt", m.project_path AS "projectPath", m.created_at AS "createdAt"
    FROM memory_chunks m
    WHERE m.id > $1 AND m.deleted_at IS NULL
      AND (NOT EXISTS (SELECT FROM memory_similarity_keys k WHERE k.memory_id = m.id)
        OR NOT EXISTS (SELECT FROM memory_search_vectors v WHERE v.memory_id = m.id))
    ORDER BY m.id LIMIT $2 FOR NO KEY UPDATE`,
});

/** Active memories that are not indexed, after an id, in the order of their ids, locked until the transaction ends. */
export function selectUnindexedMemories(
  db: PoolClient,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<IndexedMemory[]> {
  return unindexedMemories.all(db, [afterId, limit]);
}

const unindexedLock = defineQuery({
  name: "try-lock-unindexed-memories",
  row: { isLocked: column.boolean.neverNull },
  text: `SELECT pg_try_advisory_xact_lock(hashtextextended('workspace:memory-index', 0)) AS "isLocked"`,
});

/** Whether this transaction is now the only one of all processes that keeps the index. */
export async function tryLockUnindexedMemories(db: PoolClient): Promise<boolean> {
  return (await unindexedLock.one(db)).isLocked;
}

const unusedWords = defineQuery({
  name: "delete-unused-search-words",
  row: { lastId: column.integer.nullable },
  text: `
    WITH slice AS MATERIALIZED (SELECT id, word FROM memory_search_words WHERE id > $1 ORDER BY id LIMIT $2),
    unused AS (
      DELETE FROM memory_search_words USING slice
      WHERE memory_search_words.id = slice.id AND NOT EXISTS (
        SELECT FROM memory_search_vectors WHERE vector @@ (${quotedLexeme("slice.word")})::tsquery
      )
    )
    SELECT max(id) AS "lastId" FROM slice`,
});

/** Of the words by which misspelt ones are corrected, deletes those that no memory has; returns the last id, null at the end. */
export async function deleteUnusedWords(
  db: PoolClient,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number | null> {
  return (await unusedWords.one(db, [afterId, limit])).lastId;
}
