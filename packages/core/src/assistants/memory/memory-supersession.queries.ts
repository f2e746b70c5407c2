import { defineCommand, defineQuery, type PoolClient } from "@workspace/db";
import { LABEL, type MemoryLabel } from "./memory-changes.queries.ts";

const supersededMemories = defineQuery({
  name: "supersede-memories",
  row: LABEL,
  text: `
    WITH locked AS (
      SELECT id FROM memory_chunks WHERE id = ANY($1::uuid[]) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE memory_chunks m SET superseded_by_id = $2, superseded_at = $3 FROM locked WHERE m.id = locked.id
    RETURNING m.id, m.content`,
});

/** Has active memories replaced by another one, or by none again, and returns them. */
export function setSuperseder(
  db: PoolClient,
  ids: readonly string[],
  superseder: { readonly id: string; readonly at: Date } | null,
): Promise<MemoryLabel[]> {
  return supersededMemories.all(db, [ids, superseder?.id ?? null, superseder?.at ?? null]);
}

const redirectedMemories = defineCommand({
  name: "redirect-superseded",
  text: `
    UPDATE memory_chunks SET superseded_by_id = NULLIF($2::uuid, id), superseded_at = CASE WHEN id <> $2 THEN superseded_at END
    WHERE superseded_by_id = ANY($1::uuid[])`,
});

/** What one of `ids` replaced is from now on replaced by `id`, which has taken those in. */
export async function redirectSuperseded(db: PoolClient, ids: readonly string[], id: string): Promise<void> {
  await redirectedMemories.run(db, [ids, id]);
}
