import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";

/** Below it two texts have not enough in common to be taken for a repetition. */
const MIN_SIMILARITY = 0.6;
/** Of many memories under one key, only so many are considered: the newest. */
const MAX_OF_A_KEY = 64;
/** So many memories, those with the most keys in common, are compared letter by letter. */
const MAX_COMPARED = 4;

/**
 * Of long texts only those with two keys in common are compared. With one there are hundreds by chance, and each comparison
 * takes the database a millisecond.
 */
const LONG_CHARACTERS = 600;

/** A text that is looked for among the memories of a project and of none. */
export interface SimilarityCheck {
  readonly contentKey: string;
  readonly foldedContent: string;
  readonly projectPath: string | null;
  /** The keys of the text in the project, and those that it would have in none. */
  readonly similarityKeys: readonly number[];
}

const nearDuplicate = defineQuery({
  name: "select-near-duplicate",
  row: { id: column.uuid.neverNull },
  isPrepared: true,
  text: `
    WITH same AS MATERIALIZED (
      SELECT id FROM (
        SELECT id, project_path, deleted_at FROM memory_chunks WHERE content_key = $3 OFFSET 0
      ) AS found
      WHERE deleted_at IS NULL AND (project_path IS NULL OR project_path IS NOT DISTINCT FROM $2) LIMIT 1
    ),
    candidates AS MATERIALIZED (
      SELECT found.memory_id AS id
      FROM unnest($1::int[]) AS wanted (key), LATERAL (
        SELECT memory_id FROM memory_similarity_keys k WHERE k.key = wanted.key
        ORDER BY memory_id DESC LIMIT ${MAX_OF_A_KEY}
      ) AS found
      WHERE NOT EXISTS (SELECT FROM same)
      GROUP BY found.memory_id HAVING count(*) >= CASE WHEN length($4) > ${LONG_CHARACTERS} THEN 2 ELSE 1 END
      ORDER BY count(*) DESC, found.memory_id DESC LIMIT ${MAX_COMPARED}
    ),
    compared AS MATERIALIZED (
      SELECT id, created_at, similarity($4, split_part(search_text, E'\\x1f', 1)) AS similarity
      FROM candidates JOIN memory_chunks m USING (id)
      WHERE m.deleted_at IS NULL AND (m.project_path IS NULL OR m.project_path IS NOT DISTINCT FROM $2)
    ),
    alike AS (
      SELECT id FROM compared WHERE similarity >= ${MIN_SIMILARITY} ORDER BY similarity DESC, created_at LIMIT 1
    )
    SELECT id FROM same UNION ALL SELECT id FROM alike`,
});

/**
 * The active memory of the same project, or of none, whose content is most like a text; null where none is alike. What says
 * the same is found without keys. The work is bounded, however many memories look alike: each OFFSET 0 keeps the planner,
 * whose statistics may be old, from turning a step inside out.
 */
export async function selectNearDuplicate(db: Queryable, check: SimilarityCheck): Promise<string | null> {
  const { similarityKeys, projectPath, contentKey, foldedContent } = check;
  return (await nearDuplicate.first(db, [similarityKeys, projectPath, contentKey, foldedContent]))?.id ?? null;
}

const deletedKeys = defineCommand({
  name: "delete-similarity-keys",
  text: "DELETE FROM memory_similarity_keys WHERE memory_id = $1",
});

/** Has a memory found by other keys from now on. The memory has to be locked. */
export async function replaceSimilarityKeys(db: PoolClient, memoryId: string, keys: readonly number[]): Promise<void> {
  await deletedKeys.run(db, [memoryId]);
  await insertSimilarityKeys(db, [{ id: memoryId, similarityKeys: keys }]);
}

const newKeys = defineCommand({
  name: "insert-similarity-keys",
  text: `
    INSERT INTO memory_similarity_keys (key, memory_id) SELECT * FROM unnest($1::int[], $2::uuid[])
    ON CONFLICT DO NOTHING`,
});

/** Adds keys; those that are there already stay as they are. */
export async function insertSimilarityKeys(
  db: Queryable,
  memories: readonly { readonly id: string; readonly similarityKeys: readonly number[] }[],
): Promise<void> {
  const rows = memories.flatMap(({ id, similarityKeys }) => similarityKeys.map((key) => [key, id] as const));
  await newKeys.run(db, [rows.map(([key]) => key), rows.map(([, id]) => id)]);
}
