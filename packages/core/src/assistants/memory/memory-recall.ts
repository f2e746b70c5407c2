import type { Deps } from "../../platform/deps.ts";
import { createContextSelection } from "./context-selection.ts";
import { givenProjectNames } from "./given-project.ts";
import { fitContext } from "./memory-context.ts";
import { selectMemoryOutcomes } from "./memory-outcomes.queries.ts";
import { scoreMemory } from "./memory-ranking.ts";
import { searchMemories } from "./memory-search.queries.ts";
import { selectExtractedAt } from "./memory.queries.ts";
import type {
  MemoryChunk,
  MemoryContext,
  MemoryContextQuery,
  MemoryRecall,
  ProjectMemoriesQuery,
  ProjectMemory,
  RecallMemory,
  SearchMemory,
} from "./memory.schema.ts";
import { isInScope, projectScope } from "./project-path.ts";
import { SEARCH_WAIT_MS, type QueryEmbeddings } from "./query-embedding.ts";
import { parseSearchQuery } from "../../platform/search/search-query.ts";
import { requireMemory } from "./stored-memory.ts";
import { NO_OUTCOMES, usefulnessOf } from "./usefulness.ts";

/** A response of a megabyte is as much as clients keep. */
const MAX_LISTED_CHARACTERS = 1_000_000;

export interface MemoryRecallDeps extends Deps<"db" | "clock"> {
  /** Vectors of queries. */
  readonly embeddings: QueryEmbeddings;
}

/** Which memories assistants get, and why. */
export function createMemoryRecall({ db, clock, embeddings }: MemoryRecallDeps) {
  const contexts = createContextSelection({ db, clock, embeddings });

  return {
    /** Best match first with a query, else highest relevance, then newest. Counts the look-up in each that it returns, if it is a use. */
    async search(input: SearchMemory): Promise<MemoryChunk[]> {
      const { query = "" } = input;
      // One or two words may be a part of a word, or no word at all.
      const hasMeaning = parseSearchQuery(query)?.literalWords.length === 0;
      const embedding = hasMeaning ? await embeddings.find(query, SEARCH_WAIT_MS) : null;
      const { projectPath, ...search } = input;
      return searchMemories(
        db.pool,
        { ...search, projects: await givenProjectNames(db.pool, projectPath), embedding },
        clock.now(),
      );
    },

    /**
     * What a new session in a project should know, the project's own first; with a query, what has something to do with it,
     * if anything. Counts no look-up.
     */
    async context({ project, folder, query, maxTokens, exclude, limit }: MemoryContextQuery): Promise<MemoryContext> {
      const names = (await givenProjectNames(db.pool, project, folder)) ?? [];
      const options = { limit, given: new Set(exclude) };
      const memories =
        query === undefined
          ? await contexts.select(names, options)
          : await contexts.selectRelevant(names, query, options);
      return fitContext(memories, maxTokens);
    },

    /** What sessions in a project may be given, best first, for clients that search it themselves. Counts no look-up. */
    async listForProject({ project, folder, limit }: ProjectMemoriesQuery): Promise<ProjectMemory[]> {
      const names = (await givenProjectNames(db.pool, project, folder)) ?? [];
      let room = MAX_LISTED_CHARACTERS;
      const memories = await contexts.select(names, { limit, given: new Set() });
      return memories
        .filter(({ content }) => (room -= content.length) >= 0)
        .map(({ id, chunkType, content, createdAt }) => ({ id, chunkType, content, createdAt }));
    },

    /** Why a memory does or does not come with the context of a project. Throws NotFoundError. */
    async explainRecall({ id, project }: RecallMemory): Promise<MemoryRecall> {
      const memory = await requireMemory(db.pool, id);
      const outcomes = (await selectMemoryOutcomes(db.pool, [memory.id])).get(memory.id) ?? NO_OUTCOMES;
      const { score, ...factors } = scoreMemory({ ...memory, usefulness: usefulnessOf(outcomes) }, clock.now());
      const names = await givenProjectNames(db.pool, project);
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
}
