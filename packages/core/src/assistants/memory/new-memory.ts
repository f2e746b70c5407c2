import type { Queryable } from "@workspace/db";
import { foldText, toSearchText } from "../../platform/fold-text.ts";
import { contentKey } from "./content-key.ts";
import { selectNearDuplicate } from "./memory-similarity.queries.ts";
import { insertMemory, type NewMemory } from "./memory.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";
import { toSearchVector } from "./search-vector.ts";
import { storeSearchVectors } from "./search-vector.queries.ts";
import { similarityKeys } from "./similarity-keys.ts";

/** A memory without what follows from its content and project. */
export type MemoryDraft = Omit<NewMemory, "contentKey" | "nearDuplicateOfId" | "searchText" | "similarityKeys">;

/** Stores a memory, flagged where it may repeat another one of its project or of none. */
export async function storeMemory(db: Queryable, draft: MemoryDraft): Promise<MemoryChunk> {
  const { content, projectPath, sourceExcerpt } = draft;
  const own = similarityKeys(content, projectPath);
  const nearDuplicateOfId = await selectNearDuplicate(db, {
    contentKey: contentKey(content),
    foldedContent: foldText(content),
    projectPath,
    similarityKeys: projectPath === null ? own : [...own, ...similarityKeys(content, null)],
  });
  const memory = await insertMemory(db, {
    ...draft,
    contentKey: contentKey(content),
    nearDuplicateOfId,
    searchText: toSearchText(content, sourceExcerpt),
    similarityKeys: own,
  });
  await storeSearchVectors(db, [toSearchVector(memory)]);
  return memory;
}
