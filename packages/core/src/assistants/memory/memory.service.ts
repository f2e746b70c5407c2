import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { InvalidInputError } from "../../platform/errors.ts";
import { givesFields } from "../../platform/given-fields.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { createContextSelection } from "./context-selection.ts";
import { selectMemoriesForUpdate, updateMemory } from "./memory-changes.queries.ts";
import { fitContext } from "./memory-context.ts";
import { confirmMemory, createMemoryCitations, toCitations } from "./memory-citations.ts";
import { createMemoryDeletion } from "./memory-deletion.ts";
import { createMemoryPublisher } from "./memory-events.ts";
import { createMemoryInjections } from "./memory-injections.ts";
import { selectMemoryOutcomes } from "./memory-outcomes.queries.ts";
import { createMemoryReview } from "./memory-review.ts";
import { setSuperseder } from "./memory-supersession.queries.ts";
import { scoreMemory } from "./memory-ranking.ts";
import { searchMemories } from "./memory-search.queries.ts";
import { selectExtractedAt, selectMemories, selectMemory, selectSessionMemories } from "./memory.queries.ts";
import { selectLeftOutOfSession } from "./memory-extraction.queries.ts";
import type {
  LeftOut,
  ListMemory,
  MemoryChunk,
  MemoryContext,
  MemoryContextQuery,
  MemoryRecall,
  ProjectMemoriesQuery,
  ProjectMemory,
  RecallMemory,
  SearchMemory,
  StoreMemory,
  UpdateMemory,
} from "./memory.schema.ts";
import { noSuchMemory, withContent } from "./stored-memory.ts";
import { storeGroundedMemory, storeMemory } from "./new-memory.ts";
import { projectNames, storedProject } from "./given-project.ts";
import { isInScope, projectScope } from "./project-path.ts";
import { reindexMemory } from "./memory-index.ts";
import { SEARCH_WAIT_MS, type QueryEmbeddings } from "./query-embedding.ts";
import { parseSearchQuery } from "./search-query.ts";
import { NO_OUTCOMES, usefulnessOf } from "./usefulness.ts";

const MAX_SESSION_MEMORIES = 500;
/** A response of a megabyte is as much as clients keep. */
const MAX_LISTED_CHARACTERS = 1_000_000;

const readPage = createPager("memories", timeAndId, ({ createdAt, id }: MemoryChunk) => [createdAt, id]);

export interface MemoryServiceDeps extends Deps<"db" | "clock" | "ids" | "events"> {
  /** Keeps the values of secrets out of what is stored. */
  readonly redactor: Redactor;
  /** Vectors of queries. */
  readonly embeddings: QueryEmbeddings;
}

export type MemoryService = ReturnType<typeof createMemoryService>;

/** What coding assistants are to remember from one session to the next. */
export function createMemoryService({ db, clock, ids, events, redactor, embeddings }: MemoryServiceDeps) {
  const publish = createMemoryPublisher(events);
  const contexts = createContextSelection({ db, clock, embeddings });
  const injections = createMemoryInjections({ db, clock, redactor, publish });

  return {
    ...createMemoryDeletion({ db, clock, redactor, publish }),
    review: createMemoryReview({ db, clock, publish }),
    injections,
    citations: createMemoryCitations({ db, clock, publish }),

    /** Best match first with a query, else highest relevance, then newest. Counts the look-up in each that it returns, if it is a use. */
    async search(input: SearchMemory): Promise<MemoryChunk[]> {
      const { query = "" } = input;
      // One or two words may be a part of a word, or no word at all.
      const hasMeaning = parseSearchQuery(query)?.literalWords.length === 0;
      const embedding = hasMeaning ? await embeddings.find(query, SEARCH_WAIT_MS) : null;
      const { projectPath, ...search } = input;
      return searchMemories(db.pool, { ...search, projects: await namesOf(projectPath), embedding }, clock.now());
    },

    /**
     * What a new session in a project should know, the project's own first; with a query, what has something to do with it,
     * if anything. Counts no look-up.
     */
    async context({ project, folder, query, maxTokens, exclude, limit }: MemoryContextQuery): Promise<MemoryContext> {
      const names = (await namesOf(project, folder)) ?? [];
      const options = { limit, given: new Set(exclude) };
      const memories =
        query === undefined
          ? await contexts.select(names, options)
          : await contexts.selectRelevant(names, query, options);
      return fitContext(memories, maxTokens);
    },

    /** What sessions in a project may be given, best first, for clients that search it themselves. Counts no look-up. */
    async listForProject({ project, folder, limit }: ProjectMemoriesQuery): Promise<ProjectMemory[]> {
      const names = (await namesOf(project, folder)) ?? [];
      let room = MAX_LISTED_CHARACTERS;
      const memories = await contexts.select(names, { limit, given: new Set() });
      return memories
        .filter(({ content }) => (room -= content.length) >= 0)
        .map(({ id, chunkType, content, createdAt }) => ({ id, chunkType, content, createdAt }));
    },

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

    /** Newest first. */
    async list({ limit, cursor, ...filter }: ListMemory): Promise<Page<MemoryChunk>> {
      const { projectPath, ...conditions } = filter;
      const projects = await namesOf(projectPath);
      return readPage({ limit, cursor, filter }, (range) =>
        selectMemories(db.pool, { ...conditions, projects }, range),
      );
    },

    listOfSession(sessionId: string): Promise<MemoryChunk[]> {
      return selectSessionMemories(db.pool, sessionId, MAX_SESSION_MEMORIES);
    },

    /** What a session would have taught, had it not been forgotten before. */
    listLeftOutOfSession(sessionId: string): Promise<LeftOut[]> {
      return selectLeftOutOfSession(db.pool, sessionId, MAX_SESSION_MEMORIES);
    },

    /** Throws NotFoundError. */
    get: (id: string): Promise<MemoryChunk> => requireMemory(id),

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

    /** Why a memory does or does not come with the context of a project. Throws NotFoundError. */
    async explainRecall({ id, project }: RecallMemory): Promise<MemoryRecall> {
      const memory = await requireMemory(id);
      const outcomes = (await selectMemoryOutcomes(db.pool, [memory.id])).get(memory.id) ?? NO_OUTCOMES;
      const { score, ...factors } = scoreMemory({ ...memory, usefulness: usefulnessOf(outcomes) }, clock.now());
      const names = await namesOf(project);
      return {
        memory,
        isInScope: names === undefined || isInScope(projectScope(names), memory.projectPath),
        rank: await contexts.rankOf(memory.id, names ?? []),
        score,
        factors: { ...factors, accessCount: memory.accessCount },
        outcomes,
        extractedAt: await selectExtractedAt(db.pool, memory.id),
      };
    },
  };

  /** The names of a project that is given by one or more of them; undefined if it is not given at all. */
  async function namesOf(...given: (string | undefined)[]): Promise<string[] | undefined> {
    const names = given.filter((name) => name !== undefined);
    return names.length === 0 ? undefined : projectNames(db.pool, names);
  }

  async function requireMemory(id: string): Promise<MemoryChunk> {
    const memory = isUuid(id) ? await selectMemory(db.pool, id) : null;
    if (memory === null) throw noSuchMemory();
    return memory;
  }
}

/** Throws InvalidInputError unless it is another memory that is valid itself, so that no two replace each other. */
function supersederOf(memory: MemoryChunk, id: string | undefined, locked: readonly MemoryChunk[], at: Date) {
  if (id === undefined) return null;
  const superseder = locked.find((other) => other.id === id && other !== memory);
  if (superseder === undefined || superseder.supersededById !== null)
    throw InvalidInputError.at("supersededById", "must be another memory, which none has replaced");
  return { id, at };
}
