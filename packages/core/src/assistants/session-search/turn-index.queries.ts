import { column, defineCommand, defineQuery, type PoolClient, type RowOf } from "@workspace/db";
import { SEARCH_VECTORS, vectorParameters } from "../../platform/search/search-vector.queries.ts";
import type { SearchVector } from "../../platform/search/search-vector.ts";

const UNINDEXED = {
  sessionId: column.text,
  projectPath: column.text.nullable,
  firstPosition: column.integer,
  turns: column.bytes,
};
export type UnindexedPart = Readonly<RowOf<typeof UNINDEXED>>;

const unindexedPart = defineQuery({
  name: "lock-unindexed-part",
  row: UNINDEXED,
  text: `
    SELECT p.session_id AS "sessionId", t.project_path AS "projectPath", p.first_position AS "firstPosition", p.turns
    FROM session_transcript_parts p JOIN session_transcripts t USING (session_id)
    WHERE NOT p.is_indexed LIMIT 1 FOR UPDATE OF p SKIP LOCKED FOR KEY SHARE OF t SKIP LOCKED`,
});

/** A part whose turns cannot be found yet and that no other process is indexing, locked until the transaction ends. */
export function lockUnindexedPart(db: PoolClient): Promise<UnindexedPart | null> {
  return unindexedPart.first(db);
}

const indexedPart = defineCommand({
  name: "mark-part-indexed",
  text: "UPDATE session_transcript_parts SET is_indexed = true WHERE session_id = $1 AND first_position = $2",
});

export async function markPartIndexed(db: PoolClient, { sessionId, firstPosition }: UnindexedPart): Promise<void> {
  await indexedPart.run(db, [sessionId, firstPosition]);
}

const addedVectors = defineCommand({
  name: "insert-turn-vectors",
  text: `
    WITH ${SEARCH_VECTORS}
    INSERT INTO session_turn_vectors (session_id, position, occurred_at, dictionary, vector)
    SELECT $8, position, occurred_at, dictionary, vector
    FROM unnest($9::int[], $10::timestamptz[]) WITH ORDINALITY AS turn (position, occurred_at, number)
      JOIN search_vectors USING (number)`,
});

export interface TurnVector extends SearchVector {
  readonly position: number;
  readonly occurredAt: string | null;
}

export async function insertTurnVectors(
  db: PoolClient,
  sessionId: string,
  vectors: readonly TurnVector[],
): Promise<void> {
  await addedVectors.run(db, [
    ...vectorParameters(vectors),
    sessionId,
    vectors.map(({ position }) => position),
    vectors.map(({ occurredAt }) => occurredAt),
  ]);
}
