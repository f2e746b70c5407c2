import type { PoolClient } from "@workspace/db";
import { COLUMNS, type Queryable } from "./memory.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";

/** A memory's own words, to tell people which one changed. */
export interface MemoryLabel {
  readonly id: string;
  readonly content: string;
}

/** What an edit or a merge writes. */
export interface MemoryValues extends Omit<MemoryChunk, "sessionId" | "lastAccessedAt" | "createdAt"> {
  readonly contentKey: string;
  readonly searchText: string;
}

/** Active memories, locked until the transaction ends, in the order of their ids. */
export async function selectMemoriesForUpdate(db: PoolClient, ids: readonly string[]): Promise<MemoryChunk[]> {
  const { rows } = await db.query<MemoryChunk>(
    `SELECT ${COLUMNS} FROM memory_chunks m WHERE m.id = ANY($1::uuid[]) AND m.deleted_at IS NULL ORDER BY m.id FOR UPDATE`,
    [ids],
  );
  return rows;
}

export async function updateMemory(db: PoolClient, memory: MemoryValues): Promise<MemoryChunk> {
  const { rows } = await db.query<MemoryChunk>(
    `UPDATE memory_chunks m SET project_path = $2, chunk_type = $3, content = $4, source_excerpt = $5, relevance_score = $6,
       access_count = $7, near_duplicate_of_id = $8, content_key = $9, search_text = $10
     WHERE m.id = $1 RETURNING ${COLUMNS}`,
    [
      memory.id,
      memory.projectPath,
      memory.chunkType,
      memory.content,
      memory.sourceExcerpt,
      memory.relevanceScore,
      memory.accessCount,
      memory.nearDuplicateOfId,
      memory.contentKey,
      memory.searchText,
    ],
  );
  const [updated] = rows;
  if (updated === undefined) throw new Error("A locked memory is gone.");
  return updated;
}

/**
 * Deletes those that are active and answers them. They can be brought back until they are purged. Their keys go at once, so
 * that what is deleted does not stand in the way of what is looked for.
 */
export async function deleteMemories(
  db: Queryable,
  ids: readonly string[],
  { deletedAt, mergedIntoId }: { deletedAt: Date; mergedIntoId: string | null },
): Promise<MemoryLabel[]> {
  const { rows } = await db.query<MemoryLabel>(
    `WITH locked AS (
       SELECT id FROM memory_chunks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR UPDATE
     ),
     dropped AS (
       DELETE FROM memory_similarity_keys k USING locked WHERE k.memory_id = locked.id
     )
     UPDATE memory_chunks m SET deleted_at = $2, merged_into_id = $3 FROM locked WHERE m.id = locked.id
     RETURNING m.id, m.content`,
    [ids, deletedAt, mergedIntoId],
  );
  return rows;
}

/** Brings back those that are deleted and not purged yet, and answers them. They have no similarity keys. */
export async function restoreMemories(
  db: PoolClient,
  ids: readonly string[],
): Promise<(MemoryLabel & { readonly projectPath: string | null })[]> {
  const { rows } = await db.query<MemoryLabel & { projectPath: string | null }>(
    `WITH locked AS (
       SELECT id FROM memory_chunks WHERE id = ANY($1::uuid[]) AND deleted_at IS NOT NULL ORDER BY id FOR UPDATE
     )
     UPDATE memory_chunks m SET deleted_at = NULL, merged_into_id = NULL FROM locked WHERE m.id = locked.id
     RETURNING m.id, m.content, m.project_path AS "projectPath"`,
    [ids],
  );
  return rows;
}

/** Forgets for good what was deleted before a time. */
export async function purgeMemories(db: Queryable, deletedBefore: Date): Promise<void> {
  await db.query("DELETE FROM memory_chunks WHERE deleted_at < $1", [deletedBefore]);
}

/** What may repeat one of `ids` may from now on repeat `id`, which has taken those in. */
export async function redirectNearDuplicates(db: PoolClient, ids: readonly string[], id: string): Promise<void> {
  await db.query(
    `UPDATE memory_chunks SET near_duplicate_of_id = NULLIF($2::uuid, id) WHERE near_duplicate_of_id = ANY($1::uuid[])`,
    [ids, id],
  );
}
