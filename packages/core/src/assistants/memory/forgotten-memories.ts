import type { PoolClient, Queryable } from "@workspace/db";
import { inSlices } from "../../platform/in-slices.ts";
import { fingerprintOf, isNearlyEqual } from "./fingerprint.ts";
import {
  insertForgottenMemories,
  selectSimilarForgottenMemories,
  type ForgottenMemory,
} from "./forgotten-memories.queries.ts";
import { similarityKeys } from "./similarity-keys.ts";

interface Knowledge {
  readonly content: string;
  readonly projectPath: string | null;
}

/** Has extraction leave out what these memories say from now on, also when they have been purged. */
export async function rememberForgotten(
  db: PoolClient,
  memories: readonly (Knowledge & { readonly id: string })[],
  now: Date,
): Promise<void> {
  const forgotten: ForgottenMemory[] = [];
  await inSlices(memories, ({ id, content, projectPath }) => {
    forgotten.push({ memoryId: id, projectPath, ...fingerprintOf(content, projectPath) });
  });
  if (forgotten.length > 0) await insertForgottenMemories(db, forgotten, now);
}

/** Whether the project, or all projects, have forgotten a memory that said nearly the same. */
export async function isForgotten(db: Queryable, { content, projectPath }: Knowledge): Promise<boolean> {
  const own = fingerprintOf(content, projectPath);
  const keys = projectPath === null ? own.similarityKeys : [...own.similarityKeys, ...similarityKeys(content, null)];
  const similar = await selectSimilarForgottenMemories(db, {
    contentKey: own.contentKey,
    similarityKeys: keys,
    projectPath,
  });
  return similar.some((forgotten) => isNearlyEqual(content, own, forgotten));
}
