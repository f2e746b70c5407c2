import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import type { Fingerprint, KnownFingerprint } from "./fingerprint.ts";

/** What is left of a memory that was forgotten. */
export interface ForgottenMemory extends Fingerprint {
  readonly memoryId: string;
  readonly projectPath: string | null;
}

const newForgotten = defineCommand({
  name: "insert-forgotten-memories",
  text: `
    INSERT INTO forgotten_memories (memory_id, project_path, content_key, marks_key, word_hashes, fact_hashes, similarity_keys,
      forgotten_at)
    SELECT "memoryId", "projectPath", "contentKey", "marksKey", "wordHashes", "factHashes", "similarityKeys", $2
    FROM jsonb_to_recordset($1) AS given("memoryId" uuid, "projectPath" text, "contentKey" text, "marksKey" text,
      "wordHashes" integer[], "factHashes" integer[], "similarityKeys" integer[])
    ON CONFLICT DO NOTHING`,
});

export async function insertForgottenMemories(
  db: PoolClient,
  memories: readonly ForgottenMemory[],
  forgottenAt: Date,
): Promise<void> {
  await newForgotten.run(db, [JSON.stringify(memories), forgottenAt]);
}

const recalledMemories = defineCommand({
  name: "delete-forgotten-memories",
  text: "DELETE FROM forgotten_memories WHERE memory_id = ANY($1::uuid[])",
});

/** What was restored may be extracted again. */
export async function deleteForgottenMemories(db: PoolClient, memoryIds: readonly string[]): Promise<void> {
  await recalledMemories.run(db, [memoryIds]);
}

/** So many that look alike are compared. */
const MAX_COMPARED = 50;

const similarForgotten = defineQuery({
  name: "select-similar-forgotten-memories",
  row: {
    contentKey: column.text,
    marksKey: column.text,
    wordHashes: column.integers.neverNull,
    factHashes: column.integers.nullable,
  },
  text: `
    SELECT content_key AS "contentKey", marks_key AS "marksKey", word_hashes AS "wordHashes",
      fact_hashes AS "factHashes"
    FROM forgotten_memories
    WHERE (content_key = $1 OR similarity_keys && $2::int[])
      AND (project_path IS NULL OR project_path IS NOT DISTINCT FROM $3)
    ORDER BY content_key = $1 DESC, forgotten_at DESC LIMIT ${MAX_COMPARED}`,
});

/** Forgotten memories of the project, or of none, that look like a text. `similarityKeys` are its keys in both. */
export function selectSimilarForgottenMemories(
  db: Queryable,
  text: {
    readonly contentKey: string;
    readonly similarityKeys: readonly number[];
    readonly projectPath: string | null;
  },
): Promise<KnownFingerprint[]> {
  return similarForgotten.all(db, [text.contentKey, text.similarityKeys, text.projectPath]);
}
