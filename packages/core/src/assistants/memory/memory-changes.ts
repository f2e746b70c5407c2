import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { givesFields } from "../../platform/given-fields.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { storedProject } from "./given-project.ts";
import { selectMemoriesForUpdate, updateMemory } from "./memory-changes.queries.ts";
import { confirmMemory, toCitations } from "./memory-citations.ts";
import type { MemoryPublisher } from "./memory-events.ts";
import { reindexMemory } from "./memory-index.ts";
import { setSuperseder } from "./memory-supersession.queries.ts";
import type { MemoryChunk, StoreMemory, UpdateMemory } from "./memory.schema.ts";
import { storeGroundedMemory, storeMemory } from "./new-memory.ts";
import { noSuchMemory, withContent } from "./stored-memory.ts";

export interface MemoryChangesDeps extends Deps<"db" | "clock" | "ids"> {
  readonly redactor: Redactor;
  readonly publish: MemoryPublisher;
}

/** The ways in which memories come, other than by extraction, and change. */
export function createMemoryChanges({ db, clock, ids, redactor, publish }: MemoryChangesDeps) {
  return {
    /** Flags the memory where it may repeat another one of its project. Throws InvalidInputError if it replaces none. */
    async store(input: StoreMemory): Promise<MemoryChunk> {
      const content = redactor.redact(input.content);
      const sourceExcerpt = typeof input.sourceExcerpt === "string" ? redactor.redact(input.sourceExcerpt) : null;
      const projectPath = await storedProject(db.pool, input.projectPath ?? null);
      const draft = {
        id: ids(),
        sessionId: input.sessionId ?? null,
        projectPath,
        chunkType: input.chunkType,
        content,
        sourceExcerpt,
        sourceTurn: null,
        relevanceScore: input.relevanceScore ?? 1,
        extractionId: null,
        awaitsReview: false,
        createdAt: clock.now(),
      };
      const citations = toCitations(input.citations ?? [], input.projectPath ?? null, { ids, redactor });
      const replaced = [...new Set(input.supersedes?.map((id) => id.toLowerCase()))];
      if (citations.length === 0 && replaced.length === 0) {
        const memory = await storeMemory(db.pool, draft);
        publish("create", memory);
        return memory;
      }
      const { memory, superseded } = await transaction(db.pool, async (client) => {
        const stored = await storeGroundedMemory(client, draft, { citations, supersedes: replaced.filter(isUuid) });
        if (stored.superseded.length < replaced.length)
          throw InvalidInputError.at("supersedes", "must contain only ids of memories");
        return stored;
      });
      publish("create", memory);
      for (const old of superseded) publish("edit", old);
      return memory;
    },

    /**
     * Changes what is given and nothing else. Who changes a memory has reviewed it, unless it is a program, and who changes its
     * content has confirmed it. Throws NotFoundError.
     */
    async update({ id, ...patch }: UpdateMemory, isReview = true): Promise<MemoryChunk> {
      const hasChanged = givesFields(patch);
      const memory = await transaction(db.pool, async (client) => {
        const supersederId = patch.supersededById?.toLowerCase();
        const locked = await selectMemoriesForUpdate(client, [id, supersederId ?? id].filter(isUuid));
        const current = locked.find((memory) => memory.id === id.toLowerCase());
        if (current === undefined) throw noSuchMemory();
        if (!hasChanged) return current;
        if (patch.supersededById !== undefined)
          await setSuperseder(client, [current.id], supersederOf(current, supersederId, locked, clock.now()));
        const isMoved = patch.projectPath !== undefined && patch.projectPath !== current.projectPath;
        const projectPath = isMoved ? await storedProject(client, patch.projectPath ?? null) : current.projectPath;
        const content = redactor.redact(patch.content ?? current.content);
        if (content !== current.content) await confirmMemory(client, current.id, clock.now());
        await reindexMemory(client, current, { ...current, content, projectPath });
        return updateMemory(client, {
          ...withContent(current, content),
          projectPath,
          chunkType: patch.chunkType ?? current.chunkType,
          relevanceScore: patch.relevanceScore ?? current.relevanceScore,
          nearDuplicateOfId: patch.nearDuplicateOfId === null ? null : current.nearDuplicateOfId,
          awaitsReview: current.awaitsReview && !isReview,
        });
      });
      if (hasChanged) publish("edit", memory);
      return memory;
    },
  };
}

/** Throws InvalidInputError unless it is another memory that is valid itself, so that no two replace each other. */
function supersederOf(memory: MemoryChunk, id: string | undefined, locked: readonly MemoryChunk[], at: Date) {
  if (id === undefined) return null;
  const superseder = locked.find((other) => other.id === id && other !== memory);
  if (superseder === undefined || superseder.supersededById !== null)
    throw InvalidInputError.at("supersededById", "must be another memory, which none has replaced");
  return { id, at };
}
