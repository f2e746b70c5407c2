import { transaction, type Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import { toSearchText } from "../platform/fold-text.ts";
import { isUuid, type IdGenerator } from "../platform/ids.ts";
import { createCursors, timeAndId, toPage, type Page } from "../platform/paging.ts";
import type { Redactor } from "../platform/redactor.ts";
import { contentKey } from "./content-key.ts";
import { createContextSelection } from "./context-selection.ts";
import {
  deleteMemories,
  purgeMemories,
  redirectNearDuplicates,
  restoreMemories,
  selectMemoriesForUpdate,
  updateMemory,
  type MemoryLabel,
} from "./memory-changes.queries.ts";
import { formatContext } from "./memory-context.ts";
import { toLabel } from "./memory-label.ts";
import { scoreMemory } from "./memory-ranking.ts";
import {
  searchMemories,
  selectExtractedAt,
  selectMemories,
  selectMemory,
  selectSessionMemories,
} from "./memory.queries.ts";
import type {
  ListMemory,
  MemoryChunk,
  MemoryContext,
  MemoryContextQuery,
  MemoryRecall,
  MergeMemory,
  RecallMemory,
  SearchMemory,
  StoreMemory,
  UpdateMemory,
} from "./memory.schema.ts";
import { storeMemory } from "./new-memory.ts";
import { isInScope, projectScope, toPlainPath } from "./project-path.ts";
import { addSimilarityKeys, updateSimilarityKeys } from "./similarity-index.ts";

const KEPT_AFTER_DELETION_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_SESSION_MEMORIES = 500;

const cursors = createCursors("memories", timeAndId);

export interface MemoryServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
  /** Keeps the values of secrets out of what is stored. */
  readonly redactor: Redactor;
}

export type MemoryService = ReturnType<typeof createMemoryService>;

/** What coding assistants are to remember from one session to the next. */
export function createMemoryService({ db, clock, ids, events, redactor }: MemoryServiceDeps) {
  const publish = (action: "create" | "edit" | "delete" | "restore", memory: MemoryLabel) =>
    events.publish({ resource: "memory", action, resourceId: memory.id, resourceName: toLabel(memory.content) });

  const contexts = createContextSelection({ db, clock });

  return {
    /** Best match first with a query, else highest relevance, then newest. Counts the look-up in each that it answers. */
    search(input: SearchMemory): Promise<MemoryChunk[]> {
      return searchMemories(db.pool, withPlainPath(input), clock.now());
    },

    /** What a new session in a project should know, the project's own first. Counts no look-up. */
    async context({ project, folder, limit }: MemoryContextQuery): Promise<MemoryContext> {
      const memories = await contexts.select(
        [project, folder].filter((name) => name !== undefined),
        limit,
      );
      return { memories, formatted: formatContext(memories) };
    },

    /** Flags the memory where it may repeat another one of its project. */
    async store(input: StoreMemory): Promise<MemoryChunk> {
      const content = redactor.redact(input.content);
      const sourceExcerpt = typeof input.sourceExcerpt === "string" ? redactor.redact(input.sourceExcerpt) : null;
      const projectPath = toPlainPath(input.projectPath ?? null);
      const memory = await storeMemory(db.pool, {
        id: ids(),
        sessionId: input.sessionId ?? null,
        projectPath,
        chunkType: input.chunkType,
        content,
        sourceExcerpt,
        relevanceScore: input.relevanceScore ?? 1,
        extractionId: null,
        createdAt: clock.now(),
      });
      publish("create", memory);
      return memory;
    },

    /** Newest first. */
    async list({ limit, cursor, ...filter }: ListMemory): Promise<Page<MemoryChunk>> {
      const position = cursors.read(cursor, filter);
      const rows = await selectMemories(db.pool, withPlainPath(filter), {
        limit: limit + 1,
        after: position === undefined ? undefined : { createdAt: position[0], id: position[1] },
      });
      return toPage(rows, limit, (memory) => cursors.write([memory.createdAt, memory.id], filter));
    },

    listOfSession(sessionId: string): Promise<MemoryChunk[]> {
      return selectSessionMemories(db.pool, sessionId, MAX_SESSION_MEMORIES);
    },

    /** Throws {@link NotFoundError}. */
    get: (id: string): Promise<MemoryChunk> => requireMemory(id),

    /** Changes what is given and nothing else. Throws {@link NotFoundError}. */
    async update({ id, ...patch }: UpdateMemory): Promise<MemoryChunk> {
      const memory = await transaction(db.pool, async (client) => {
        const [current] = isUuid(id) ? await selectMemoriesForUpdate(client, [id]) : [];
        if (current === undefined) throw noSuchMemory();
        const projectPath = patch.projectPath === undefined ? current.projectPath : toPlainPath(patch.projectPath);
        const content = redactor.redact(patch.content ?? current.content);
        await updateSimilarityKeys(client, current, { id: current.id, content, projectPath });
        return updateMemory(client, {
          ...withContent(current, content),
          projectPath,
          chunkType: patch.chunkType ?? current.chunkType,
          relevanceScore: patch.relevanceScore ?? current.relevanceScore,
          nearDuplicateOfId: patch.nearDuplicateOfId === null ? null : current.nearDuplicateOfId,
        });
      });
      publish("edit", memory);
      return memory;
    },

    /**
     * Deletes `ids` and lets the memory `id` stand for them: with their look-ups, the highest relevance, and an excerpt of
     * theirs where it has none. Restoring them undoes the deletion. Throws {@link NotFoundError} where any of them is not
     * there, and then changes nothing.
     */
    async merge({ id, ids: mergedIds, content }: MergeMemory): Promise<MemoryChunk> {
      if (mergedIds.includes(id)) throw InvalidInputError.at("ids", "must not hold the memory that stays");
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
        await redirectNearDuplicates(client, mergedIds, id);
        const mergedContent = redactor.redact(content ?? target.content);
        await updateSimilarityKeys(client, target, { ...target, content: mergedContent });
        const memory = await updateMemory(client, {
          ...withContent(withExcerpt, mergedContent),
          relevanceScore: Math.max(...found.map((chunk) => chunk.relevanceScore)),
          accessCount: found.reduce((sum, chunk) => sum + chunk.accessCount, 0),
          nearDuplicateOfId: isRepetition ? null : target.nearDuplicateOfId,
        });
        const deleted = await deleteMemories(client, mergedIds, { deletedAt: clock.now(), mergedIntoId: id });
        return { memory, deleted };
      });
      publish("edit", memory);
      for (const source of deleted) publish("delete", source);
      return memory;
    },

    /** Can be undone like {@link deleteMany}. Throws {@link NotFoundError}, also for what is deleted already. */
    async delete(id: string): Promise<{ success: true }> {
      const { deletedIds } = await deleteMany([id]);
      if (deletedIds.length === 0) throw noSuchMemory();
      return { success: true };
    },

    deleteMany,

    /** Brings back what was deleted or merged and answers which; what is there or purged already is left out. */
    async restore(memoryIds: readonly string[]): Promise<{ restoredIds: string[] }> {
      const restored = await transaction(db.pool, async (client) => {
        const memories = await restoreMemories(client, memoryIds.filter(isUuid));
        await addSimilarityKeys(client, memories);
        return memories;
      });
      for (const memory of restored) publish("restore", memory);
      return { restoredIds: restored.map((memory) => memory.id) };
    },

    /** Why a memory does or does not come with the context of a project. Throws {@link NotFoundError}. */
    async explainRecall({ id, project }: RecallMemory): Promise<MemoryRecall> {
      const memory = await requireMemory(id);
      const { score, ...factors } = scoreMemory(memory, clock.now());
      return {
        memory,
        isInScope: project === undefined || isInScope(projectScope([project]), memory.projectPath),
        rank: await contexts.rankOf(memory.id, project === undefined ? [] : [project]),
        score,
        factors: { ...factors, accessCount: memory.accessCount },
        extractedAt: await selectExtractedAt(db.pool, memory.id),
      };
    },
  };

  /** Deletes those that are there and answers which. For 30 days `restore` undoes it. */
  async function deleteMany(memoryIds: readonly string[]): Promise<{ deletedIds: string[] }> {
    const now = clock.now();
    const deleted = await deleteMemories(db.pool, memoryIds.filter(isUuid), { deletedAt: now, mergedIntoId: null });
    await purgeMemories(db.pool, new Date(now.getTime() - KEPT_AFTER_DELETION_MS));
    for (const memory of deleted) publish("delete", memory);
    return { deletedIds: deleted.map((memory) => memory.id) };
  }

  async function requireMemory(id: string): Promise<MemoryChunk> {
    const memory = isUuid(id) ? await selectMemory(db.pool, id) : null;
    if (memory === null) throw noSuchMemory();
    return memory;
  }
}

function withContent(memory: MemoryChunk, content: string) {
  const searchText = toSearchText(content, memory.sourceExcerpt);
  return { ...memory, content, contentKey: contentKey(content), searchText };
}

function withPlainPath<Filter extends { projectPath?: string | undefined }>(filter: Filter): Filter {
  return filter.projectPath === undefined ? filter : { ...filter, projectPath: toPlainPath(filter.projectPath) };
}

function noSuchMemory(): NotFoundError {
  return new NotFoundError("There is no such memory.");
}
