import type { PoolClient, Queryable } from "@workspace/db";
import { foldText, toSearchText } from "../../platform/fold-text.ts";
import { contentKey } from "./content-key.ts";
import type { MemoryLabel } from "./memory-changes.queries.ts";
import { insertCitations, type NewCitation } from "./memory-citation.queries.ts";
import { selectNearDuplicate } from "./memory-similarity.queries.ts";
import { setSuperseder } from "./memory-supersession.queries.ts";
import { insertMemory, selectMemory, type NewMemory } from "./memory.queries.ts";
import type { MemoryChunk } from "./memory.schema.ts";
import { toSearchVector } from "./memory-vector.ts";
import { similarityKeys } from "./similarity-keys.ts";

/** A memory without what follows from its content and project. */
export type MemoryDraft = Omit<
  NewMemory,
  "contentKey" | "nearDuplicateOfId" | "searchText" | "searchVector" | "similarityKeys"
>;

/** What a memory rests on, and the ids of those that it replaces. */
export interface MemoryGrounds {
  readonly citations: readonly NewCitation[];
  readonly supersedes: readonly string[];
}

/** A memory that was stored, and those that it replaced. */
export interface StoredMemory {
  readonly memory: MemoryChunk;
  readonly superseded: readonly MemoryLabel[];
}

/**
 * Stores a memory, flagged where it may repeat another one of its project or of none; not one of those that it replaces. A
 * single statement writes it, so it needs no transaction.
 */
export async function storeMemory(
  db: Queryable,
  draft: MemoryDraft,
  replaced: readonly string[] = [],
): Promise<MemoryChunk> {
  const { content, projectPath, sourceExcerpt } = draft;
  const own = similarityKeys(content, projectPath);
  const nearDuplicateOfId = await selectNearDuplicate(db, {
    contentKey: contentKey(content),
    foldedContent: foldText(content),
    projectPath,
    similarityKeys: projectPath === null ? own : [...own, ...similarityKeys(content, null)],
  });
  return insertMemory(db, {
    ...draft,
    contentKey: contentKey(content),
    nearDuplicateOfId: replaced.includes(nearDuplicateOfId ?? "") ? null : nearDuplicateOfId,
    searchText: toSearchText(content, sourceExcerpt),
    searchVector: toSearchVector(draft),
    similarityKeys: own,
  });
}

/** Stores a memory with what it rests on. Those that it replaces are no longer valid from its creation on. */
export async function storeGroundedMemory(
  db: PoolClient,
  draft: MemoryDraft,
  { supersedes, citations }: MemoryGrounds,
): Promise<StoredMemory> {
  const { id, createdAt } = draft;
  const memory = await storeMemory(db, draft, supersedes);
  const superseded = supersedes.length === 0 ? [] : await setSuperseder(db, supersedes, { id, at: createdAt });
  if (citations.length === 0) return { memory, superseded };
  await insertCitations(db, id, citations);
  return { memory: (await selectMemory(db, id)) ?? memory, superseded };
}
