import { setImmediate as nextTurn } from "node:timers/promises";
import type { PoolClient } from "@workspace/db";
import { insertSimilarityKeys, replaceSimilarityKeys } from "./memory-similarity.queries.ts";
import { toSearchVector, type SearchableMemory } from "./memory-vector.ts";
import { storeSearchVectors } from "./memory-vector.queries.ts";
import { similarityKeys } from "./similarity-keys.ts";

/** Computing what so many are found by takes a few milliseconds of the main thread. */
const SLICE = 10;

/**
 * Adds what memories are found by, when something similar is stored and when they are searched for. The memories have to be
 * locked.
 */
export async function indexMemories(client: PoolClient, memories: readonly SearchableMemory[]): Promise<void> {
  for (let start = 0; start < memories.length; start += SLICE) {
    const slice = memories.slice(start, start + SLICE);
    await insertSimilarityKeys(
      client,
      slice.map(({ id, content, projectPath }) => ({ id, similarityKeys: similarityKeys(content, projectPath) })),
    );
    await storeSearchVectors(client, slice.map(toSearchVector));
    await nextTurn();
  }
}

/** Has a memory found by what it says, and in the project where it is, from now on. The memory has to be locked. */
export async function reindexMemory(
  client: PoolClient,
  before: SearchableMemory,
  after: SearchableMemory,
): Promise<void> {
  const isMoved = after.projectPath !== before.projectPath;
  const isReworded = after.content !== before.content;
  if (isMoved || isReworded)
    await replaceSimilarityKeys(client, after.id, similarityKeys(after.content, after.projectPath));
  if (isMoved || isReworded || after.sourceExcerpt !== before.sourceExcerpt)
    await storeSearchVectors(client, [toSearchVector(after)]);
}
