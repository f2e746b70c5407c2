import type { PoolClient } from "@workspace/db";
import { foldText, toSearchText } from "../../platform/fold-text.ts";
import { contentKey } from "./content-key.ts";
import type { MemoryLabel } from "./memory-changes.queries.ts";
import { insertCitations, type NewCitation } from "./memory-citation.queries.ts";
import { selectNearDuplicate } from "./memory-similarity.queries.ts";
import { setSuperseder } from "./memory-supersession.queries.ts";
import { insertMemory, selectMemory, type NewMemory } from "./memory.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";
import { toSearchVector } from "./search-vector.ts";
import { storeSearchVectors } from "./search-vector.queries.ts";
import { similarityKeys } from "./similarity-keys.ts";

/** A memory without what follows from its content and project. */
export type MemoryDraft = Omit<NewMemory, "contentKey" | "nearDuplicateOfId" | "searchText" | "similarityKeys">;

/** What a memory rests on, and the ids of those that it replaces. */
export interface MemoryGrounds {
  readonly citations?: readonly NewCitation[];
  readonly supersedes?: readonly string[];
}

/** A memory that was stored, and those that it replaced. */
export interface StoredMemory {
  readonly memory: MemoryChunk;
  readonly superseded: readonly MemoryLabel[];
}

/**
 * Stores a memory, flagged where it may repeat another one of its project or of none; not one of those that it replaces, which
 * are no longer valid from its creation on.
 */
export async function storeMemory(
  db: PoolClient,
  draft: MemoryDraft,
  { supersedes = [], citations = [] }: MemoryGrounds = {},
): Promise<StoredMemory> {
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
    nearDuplicateOfId: supersedes.includes(nearDuplicateOfId ?? "") ? null : nearDuplicateOfId,
    searchText: toSearchText(content, sourceExcerpt),
    similarityKeys: own,
  });
  await storeSearchVectors(db, [toSearchVector(memory)]);
  const { id, createdAt } = draft;
  const superseded = await setSuperseder(db, supersedes, { id, at: createdAt });
  if (citations.length === 0) return { memory, superseded };
  await insertCitations(db, id, citations);
  return { memory: (await selectMemory(db, id)) ?? memory, superseded };
}
