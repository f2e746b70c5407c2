import { defineCommand, defineQuery, type Queryable } from "@workspace/db";
import { LABEL, type MemoryLabel } from "./memory-changes.queries.ts";

const reviewed = defineQuery({
  name: "review-memories",
  row: LABEL,
  text: `
    WITH locked AS (
      SELECT id FROM memory_chunks
      WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL AND awaits_review <> $2 AND (extraction_id IS NOT NULL OR NOT $2)
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE memory_chunks m SET awaits_review = $2 FROM locked WHERE m.id = locked.id RETURNING m.id, m.content`,
});

/** Sets whether memories await review, and returns those that changed. Only extracted ones can. */
export function setAwaitsReview(db: Queryable, ids: readonly string[], awaitsReview: boolean): Promise<MemoryLabel[]> {
  return reviewed.all(db, [ids, awaitsReview]);
}

const keptMemories = defineCommand({
  name: "keep-memories-created-before",
  text: `
    WITH locked AS (
      SELECT id FROM memory_chunks
      WHERE awaits_review AND deleted_at IS NULL AND created_at <= $1 ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE memory_chunks m SET awaits_review = false FROM locked WHERE m.id = locked.id`,
});

/** Keeps what has awaited review since a time. */
export async function keepMemoriesCreatedBefore(db: Queryable, time: Date): Promise<void> {
  await keptMemories.run(db, [time]);
}
