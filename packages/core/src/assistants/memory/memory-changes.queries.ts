import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import { INDEXED, type IndexedMemory } from "./memory-index.queries.ts";
import { COLUMNS, MEMORY } from "./memory.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";

/** A memory's own words, to tell people which one changed. */
export const LABEL = { id: column.uuid, content: column.text };
export type MemoryLabel = Readonly<RowOf<typeof LABEL>>;

/** What an edit or a merge writes. */
export interface MemoryValues extends Omit<
  MemoryChunk,
  | "sessionId"
  | "accessCount"
  | "lastAccessedAt"
  | "supersededById"
  | "supersededAt"
  | "citations"
  | "withheldAt"
  | "createdAt"
> {
  readonly contentKey: string;
  readonly searchText: string;
}

const lockedMemories = defineQuery({
  name: "select-memories-for-update",
  row: MEMORY,
  text: `
    SELECT ${COLUMNS} FROM memory_chunks m WHERE m.id = ANY($1::uuid[]) AND m.deleted_at IS NULL ORDER BY m.id FOR UPDATE`,
});

/** Active memories, locked until the transaction ends, in the order of their ids. */
export function selectMemoriesForUpdate(db: PoolClient, ids: readonly string[]): Promise<MemoryChunk[]> {
  return lockedMemories.all(db, [ids]);
}

const changedMemory = defineQuery({
  name: "update-memory",
  row: MEMORY,
  text: `
    UPDATE memory_chunks m SET project_path = $2, chunk_type = $3, content = $4, source_excerpt = $5, relevance_score = $6,
      near_duplicate_of_id = $7, content_key = $8, search_text = $9, awaits_review = $10
    WHERE m.id = $1 RETURNING ${COLUMNS}`,
});

/** Changes a memory that is locked. */
export function updateMemory(db: PoolClient, memory: MemoryValues): Promise<MemoryChunk> {
  return changedMemory.one(db, [
    memory.id,
    memory.projectPath,
    memory.chunkType,
    memory.content,
    memory.sourceExcerpt,
    memory.relevanceScore,
    memory.nearDuplicateOfId,
    memory.contentKey,
    memory.searchText,
    memory.awaitsReview,
  ]);
}

const addedAccesses = defineCommand({
  name: "add-memory-accesses",
  text: `
    INSERT INTO memory_accesses AS own (memory_id, access_count, last_accessed_at)
    SELECT $1, access_count, last_accessed_at FROM (
      SELECT sum(access_count)::int AS access_count, max(last_accessed_at) AS last_accessed_at
      FROM memory_accesses WHERE memory_id = ANY($2::uuid[])
    ) AS others WHERE access_count > 0
    ON CONFLICT (memory_id) DO UPDATE SET access_count = own.access_count + excluded.access_count`,
});

/** Counts the look-ups of other memories as those of a memory too. */
export async function addAccesses(db: PoolClient, id: string, ofIds: readonly string[]): Promise<void> {
  await addedAccesses.run(db, [id, ofIds]);
}

const DELETED = { ...LABEL, projectPath: column.text.nullable };

const deletedMemories = defineQuery({
  name: "delete-memories",
  row: DELETED,
  text: `
    WITH locked AS (
      SELECT id FROM memory_chunks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE
    ),
    dropped_keys AS (
      DELETE FROM memory_similarity_keys k USING locked WHERE k.memory_id = locked.id
    ),
    dropped_vectors AS (
      DELETE FROM memory_search_vectors v USING locked WHERE v.memory_id = locked.id
    ),
    dropped_embeddings AS (
      DELETE FROM memory_embeddings e USING locked WHERE e.memory_id = locked.id
    )
    UPDATE memory_chunks m SET deleted_at = $2, merged_into_id = $3 FROM locked WHERE m.id = locked.id
    RETURNING m.id, m.content, m.project_path AS "projectPath"`,
});

/**
 * Deletes those that are active and returns them. They can be brought back until they are purged. Their index entries
 * go at once, so that what is deleted does not stand in the way of what is looked for.
 */
export function deleteMemories(
  db: Queryable,
  ids: readonly string[],
  { deletedAt, mergedIntoId }: { deletedAt: Date; mergedIntoId: string | null },
): Promise<Readonly<RowOf<typeof DELETED>>[]> {
  return deletedMemories.all(db, [ids, deletedAt, mergedIntoId]);
}

const restoredMemories = defineQuery({
  name: "restore-memories",
  row: INDEXED,
  text: `
    WITH locked AS (
      SELECT id FROM memory_chunks WHERE id = ANY($1::uuid[]) AND deleted_at IS NOT NULL ORDER BY id FOR UPDATE
    )
    UPDATE memory_chunks m SET deleted_at = NULL, merged_into_id = NULL FROM locked WHERE m.id = locked.id
    RETURNING m.id, m.content,
      m.source_excerpt AS "sourceExcerpt", m.project_path AS "projectPath", m.created_at AS "createdAt"`,
});

/** Brings back those that are deleted and not purged yet, and returns them. They are not indexed. */
export function restoreMemories(db: PoolClient, ids: readonly string[]): Promise<IndexedMemory[]> {
  return restoredMemories.all(db, [ids]);
}

const purgedMemories = defineCommand({
  name: "purge-memories",
  text: "DELETE FROM memory_chunks WHERE deleted_at < $1",
});

/** Forgets for good what was deleted before a time. */
export async function purgeMemories(db: Queryable, deletedBefore: Date): Promise<void> {
  await purgedMemories.run(db, [deletedBefore]);
}

const redirectedDuplicates = defineCommand({
  name: "redirect-near-duplicates",
  text: `
    UPDATE memory_chunks SET near_duplicate_of_id = NULLIF($2::uuid, id) WHERE near_duplicate_of_id = ANY($1::uuid[])`,
});

/** What may repeat one of `ids` may from now on repeat `id`, which has taken those in. */
export async function redirectNearDuplicates(db: PoolClient, ids: readonly string[], id: string): Promise<void> {
  await redirectedDuplicates.run(db, [ids, id]);
}
