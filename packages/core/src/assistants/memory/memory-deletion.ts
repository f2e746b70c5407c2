import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { rememberForgotten } from "./forgotten-memories.ts";
import { deleteForgottenMemories } from "./forgotten-memories.queries.ts";
import {
  addAccesses,
  deleteMemories,
  purgeMemories,
  redirectNearDuplicates,
  restoreMemories,
  selectMemoriesForUpdate,
  updateMemory,
} from "./memory-changes.queries.ts";
import { confirmMemory } from "./memory-citations.ts";
import { purgeLeftOut } from "./memory-extraction.queries.ts";
import type { MemoryPublisher } from "./memory-events.ts";
import { redirectSuperseded } from "./memory-supersession.queries.ts";
import { noSuchMemory, withContent } from "./stored-memory.ts";
import type { MemoryChunk, MergeMemory } from "./memory.schema.ts";
import { indexMemories, reindexMemory } from "./memory-index.ts";

const KEPT_AFTER_DELETION_MS = 30 * 24 * 60 * 60 * 1000;

export interface MemoryDeletionDeps extends Deps<"db" | "clock"> {
  readonly redactor: Redactor;
  readonly publish: MemoryPublisher;
}

/** The ways in which memories go, and come back within 30 days. */
export function createMemoryDeletion({ db, clock, redactor, publish }: MemoryDeletionDeps) {
  /** Deletes those that exist and returns their ids. For 30 days `restore` undoes it. */
  async function deleteMany(memoryIds: readonly string[]): Promise<{ deletedIds: string[] }> {
    const now = clock.now();
    const deleted = await transaction(db.pool, (client) => forget(client, memoryIds.filter(isUuid), null));
    const keptSince = new Date(now.getTime() - KEPT_AFTER_DELETION_MS);
    await purgeMemories(db.pool, keptSince);
    await purgeLeftOut(db.pool, keptSince);
    for (const memory of deleted) publish("delete", memory);
    return { deletedIds: deleted.map((memory) => memory.id) };
  }

  async function forget(client: PoolClient, ids: readonly string[], mergedIntoId: string | null) {
    const now = clock.now();
    const deleted = await deleteMemories(client, ids, { deletedAt: now, mergedIntoId });
    await rememberForgotten(client, deleted, now);
    return deleted;
  }

  return {
    deleteMany,

    /**
     * Deletes `ids` and lets the memory `id` stand for them: with their look-ups, the highest relevance, and an excerpt of
     * theirs where it has none. Restoring them undoes the deletion. Throws NotFoundError where any of them is not
     * there, and then changes nothing. It is a review, unless a program does it.
     */
    async merge({ id, ids: mergedIds, content }: MergeMemory, isReview = true): Promise<MemoryChunk> {
      if (mergedIds.includes(id)) throw InvalidInputError.at("ids", "must not contain the memory to keep");
      const wanted = new Set([id, ...mergedIds]);
      if (![...wanted].every(isUuid)) throw noSuchMemory();
      const { memory, deleted } = await transaction(db.pool, async (client) => {
        const found = await selectMemoriesForUpdate(client, [...wanted]);
        const target = found.find((candidate) => candidate.id === id.toLowerCase());
        if (target === undefined || found.length < wanted.size) throw noSuchMemory();
        const sources = found.filter((candidate) => candidate !== target);
        const isRepetition = sources.some((source) => source.id === target.nearDuplicateOfId);
        const excerpts = [target, ...sources].map((chunk) => chunk.sourceExcerpt);
        const withExcerpt = { ...target, sourceExcerpt: excerpts.find((excerpt) => excerpt !== null) ?? null };
        await confirmMemory(client, target.id, clock.now());
        await redirectNearDuplicates(client, mergedIds, id);
        await redirectSuperseded(client, mergedIds, id);
        await addAccesses(client, id, mergedIds);
        const mergedContent = redactor.redact(content ?? target.content);
        await reindexMemory(client, target, { ...withExcerpt, content: mergedContent });
        const memory = await updateMemory(client, {
          ...withContent(withExcerpt, mergedContent),
          relevanceScore: Math.max(...found.map((chunk) => chunk.relevanceScore)),
          nearDuplicateOfId: isRepetition ? null : target.nearDuplicateOfId,
          awaitsReview: target.awaitsReview && !isReview,
        });
        const deleted = await forget(client, mergedIds, id);
        return { memory, deleted };
      });
      publish("edit", memory);
      for (const source of deleted) publish("delete", source);
      return memory;
    },

    /** Can be undone like {@link deleteMany}. Throws NotFoundError, also for what is deleted already. */
    async delete(id: string): Promise<{ success: true }> {
      const { deletedIds } = await deleteMany([id]);
      if (deletedIds.length === 0) throw noSuchMemory();
      return { success: true };
    },

    /** Brings back what was deleted or merged and answers which; what is there or purged already is left out. */
    async restore(memoryIds: readonly string[]): Promise<{ restoredIds: string[] }> {
      const restored = await transaction(db.pool, async (client) => {
        const memories = await restoreMemories(client, memoryIds.filter(isUuid));
        await indexMemories(client, memories);
        await deleteForgottenMemories(
          client,
          memories.map(({ id }) => id),
        );
        return memories;
      });
      for (const memory of restored) publish("restore", memory);
      return { restoredIds: restored.map((memory) => memory.id) };
    },
  };
}
