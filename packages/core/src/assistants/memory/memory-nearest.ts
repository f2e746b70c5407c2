import type { Bind } from "@workspace/db";
import { SIGNATURE_BITS } from "./embedding-signature.ts";
import type { QueryEmbedding } from "./query-embedding.ts";

/** Of the most similar memories so many are checked against the conditions, and so many count. */
const MAX_CANDIDATES = 200;
const MAX_NEAREST = 100;
/** From so many memories it is known in how many bits one usually differs from the query. */
const SAMPLE_SIZE = 1_000;
/** By its vector alone, a memory is relevant if it differs in no more than this share of what is usual. */
const MAX_SHARE_OF_USUAL = 0.65;
/** How much less a place counts than the one before it, and a place by vectors than one by words. */
const PLACES_BEFORE = 5;
const VECTOR_WEIGHT = 0.4;

export interface NearestSearch {
  readonly embedding: QueryEmbedding;
  /** SQL conditions on memories `m`. */
  readonly conditions: readonly string[];
  /** SQL condition on embeddings `e`; null for all memories. */
  readonly scope: string | null;
}

/**
 * SQL of common table expressions that find memories by their vectors, to follow the `candidates` that words have found:
 * `nearest` with `id`, `near_duplicate_of_id`, `place` from 1 and `is_relevant`, whether the vector alone shows that it has
 * something to do with the query. Without a scope, also those that words have found are compared, for there may be too many
 * memories to compare all of them (see `closest_memories` in the migrations).
 */
export function nearestMemories({ embedding, conditions, scope }: NearestSearch, bind: Bind): string {
  const space = bind(embedding.space);
  const distance = `bit_count(e.signature # ${bind(embedding.signature)}::bit(${SIGNATURE_BITS}))`;
  const isComparable = `e.space = ${space} AND e.signature IS NOT NULL`;
  const closest = (from: string, condition: string): string => `
      (SELECT e.memory_id, e.content_key, ${distance} AS distance FROM ${from}
       WHERE ${isComparable} AND ${condition} ORDER BY distance LIMIT ${MAX_CANDIDATES})`;
  const compared =
    scope !== null
      ? closest("memory_embeddings e", scope)
      : `
      SELECT * FROM closest_memories(${bind(embedding.signature)}::bit(${SIGNATURE_BITS}), ${space}, ${MAX_CANDIDATES})
      UNION ${closest("candidates c JOIN memory_embeddings e ON e.memory_id = c.id", "true")}`;
  return `
    usual AS MATERIALIZED (
      SELECT avg(${distance}) AS distance
      FROM (SELECT signature FROM memory_embeddings e WHERE ${isComparable} LIMIT ${SAMPLE_SIZE}) AS e
    ),
    compared AS MATERIALIZED (${compared}
    ),
    nearest AS MATERIALIZED (
      SELECT m.id, m.near_duplicate_of_id, row_number() OVER (ORDER BY compared.distance, m.id DESC) AS place,
        compared.distance <= ${MAX_SHARE_OF_USUAL} * usual.distance AS is_relevant
      FROM usual, compared JOIN memory_chunks m ON m.id = compared.memory_id AND m.content_key = compared.content_key
      WHERE ${conditions.join(" AND ")} ORDER BY place LIMIT ${MAX_NEAREST}
    )`;
}

/**
 * SQL of the score by both places, of a row of `by_words` and `nearest` that each may lack: reciprocal rank fusion. What has an
 * identifier of the query is not put behind others because of its vector.
 */
export const FUSED_SCORE = `(coalesce(1.0 / (${PLACES_BEFORE} + by_words.place), 0) + ${VECTOR_WEIGHT} * CASE
        WHEN by_words.has_identifier THEN 1.0 / (${PLACES_BEFORE} + 1)
        ELSE coalesce(1.0 / (${PLACES_BEFORE} + nearest.place), 0) END)::float8`;
