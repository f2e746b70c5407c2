import { column, defineCommand, defineQuery, type PoolClient, type Queryable, type RowOf } from "@workspace/db";
import { SIGNATURE_BITS } from "./embedding-signature.ts";

const endOfWindow = defineQuery({
  name: "select-end-of-memory-window",
  row: { id: column.uuid },
  text: "SELECT id FROM memory_chunks WHERE id < $1 ORDER BY id DESC OFFSET $2 LIMIT 1",
});

/** The last of the `size` memories before an id, from the newest to the oldest; null if there are fewer. */
export async function selectEndOfWindow(db: Queryable, before: string, size: number): Promise<string | null> {
  return (await endOfWindow.first(db, [before, size - 1]))?.id ?? null;
}

const UNEMBEDDED = { id: column.uuid, content: column.text, contentKey: column.text };
export type UnembeddedMemory = Readonly<RowOf<typeof UNEMBEDDED>>;

const unembeddedMemories = defineQuery({
  name: "select-unembedded-memories",
  row: UNEMBEDDED,
  text: `
    SELECT m.id, m.content, m.content_key AS "contentKey" FROM memory_chunks m
    WHERE m.id < $1 AND ($2::uuid IS NULL OR m.id >= $2) AND m.deleted_at IS NULL
      AND NOT EXISTS (
        SELECT FROM memory_embeddings e
        WHERE e.memory_id = m.id AND e.space = $3 AND e.content_key = m.content_key
          AND e.project_path IS NOT DISTINCT FROM m.project_path
      )
    ORDER BY m.id DESC LIMIT $4`,
});

export interface MemoryWindow {
  /** Excluded. */
  readonly before: string;
  /** Included; null for the oldest. */
  readonly end: string | null;
  readonly space: string;
  readonly limit: number;
}

/** Active memories of a window that have no vector in a space, or one of what they used to say, newest first. */
export function selectUnembeddedMemories(
  db: Queryable,
  { before, end, space, limit }: MemoryWindow,
): Promise<UnembeddedMemory[]> {
  return unembeddedMemories.all(db, [before, end, space, limit]);
}

export interface MemoryEmbedding {
  readonly memoryId: string;
  /** The memory has a vector only as long as this is its key. */
  readonly contentKey: string;
  /** Null if the model refuses the text. */
  readonly signature: string | null;
}

const storedEmbeddings = defineCommand({
  name: "store-memory-embeddings",
  text: `
    WITH unchanged AS MATERIALIZED (
      SELECT m.id, m.content_key, m.project_path, e.signature
      FROM unnest($2::uuid[], $3::text[], $4::bit(${SIGNATURE_BITS})[]) AS e (memory_id, content_key, signature)
        JOIN memory_chunks m ON m.id = e.memory_id AND m.content_key = e.content_key AND m.deleted_at IS NULL
      ORDER BY m.id FOR KEY SHARE OF m
    )
    INSERT INTO memory_embeddings (memory_id, space, content_key, project_path, signature)
    SELECT id, $1, content_key, project_path, signature FROM unchanged
    ON CONFLICT (memory_id) DO UPDATE SET space = EXCLUDED.space, content_key = EXCLUDED.content_key,
      project_path = EXCLUDED.project_path, signature = EXCLUDED.signature`,
});

/**
 * Stores vectors of those memories that have not changed meanwhile. They are locked in the order of their ids, as for a
 * deletion.
 */
export async function storeMemoryEmbeddings(
  db: PoolClient,
  space: string,
  embeddings: readonly MemoryEmbedding[],
): Promise<void> {
  await storedEmbeddings.run(db, [
    space,
    embeddings.map(({ memoryId }) => memoryId),
    embeddings.map(({ contentKey }) => contentKey),
    embeddings.map(({ signature }) => signature),
  ]);
}
