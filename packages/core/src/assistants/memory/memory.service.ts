import type { Deps } from "../../platform/deps.ts";
import { createPager, timeAndId, type Page } from "../../platform/paging.ts";
import type { Redactor } from "../../platform/redactor.ts";
import { givenProjectNames } from "./given-project.ts";
import { createMemoryChanges } from "./memory-changes.ts";
import { createMemoryCitations } from "./memory-citations.ts";
import { createMemoryDeletion } from "./memory-deletion.ts";
import { createMemoryPublisher } from "./memory-events.ts";
import { selectLeftOutOfSession } from "./memory-extraction.queries.ts";
import { createMemoryInjections } from "./memory-injections.ts";
import { createMemoryRecall } from "./memory-recall.ts";
import { createMemoryReview } from "./memory-review.ts";
import { selectMemories, selectSessionMemories } from "./memory.queries.ts";
import type { LeftOut, ListMemory, MemoryChunk } from "./memory.schema.ts";
import type { QueryEmbeddings } from "./query-embedding.ts";
import { requireMemory } from "./stored-memory.ts";

const MAX_SESSION_MEMORIES = 500;

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
  return {
    ...createMemoryRecall({ db, clock, embeddings }),
    ...createMemoryChanges({ db, clock, ids, redactor, publish }),
    ...createMemoryDeletion({ db, clock, redactor, publish }),
    review: createMemoryReview({ db, clock, publish }),
    injections: createMemoryInjections({ db, clock, redactor, publish }),
    citations: createMemoryCitations({ db, clock, publish }),

    /** Newest first. */
    async list({ limit, cursor, ...filter }: ListMemory): Promise<Page<MemoryChunk>> {
      const { projectPath, ...conditions } = filter;
      const projects = await givenProjectNames(db.pool, projectPath);
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
    get: (id: string): Promise<MemoryChunk> => requireMemory(db.pool, id),
  };
}
