import { setImmediate as nextTurn } from "node:timers/promises";
import type { PoolClient } from "@workspace/db";
import { insertSimilarityKeys, replaceSimilarityKeys, type KeyedMemory } from "./memory-similarity.queries.ts";
import { similarityKeys } from "./similarity-keys.ts";

/** Computing the keys of so many takes a few milliseconds of the main thread. */
const SLICE = 10;

/** Adds the keys of memories that have none. The memories have to be locked. */
export async function addSimilarityKeys(client: PoolClient, memories: readonly KeyedMemory[]): Promise<void> {
  for (let start = 0; start < memories.length; start += SLICE) {
    await insertSimilarityKeys(
      client,
      memories
        .slice(start, start + SLICE)
        .map(({ id, content, projectPath }) => ({ id, similarityKeys: similarityKeys(content, projectPath) })),
    );
    await nextTurn();
  }
}

/** Has a memory found by what it says, and in the project where it is, from now on. The memory has to be locked. */
export async function updateSimilarityKeys(client: PoolClient, before: KeyedMemory, after: KeyedMemory): Promise<void> {
  if (after.content === before.content && after.projectPath === before.projectPath) return;
  await replaceSimilarityKeys(client, after.id, similarityKeys(after.content, after.projectPath));
}
