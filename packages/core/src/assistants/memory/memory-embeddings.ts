import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../platform/deps.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import type { Closable } from "../../platform/repeat.ts";
import { EmbeddingError, toLogFields, type EmbeddingModel, type EmbeddingProblem } from "./embedding-model.ts";
import { createMemoryEmbedder } from "./memory-embedder.ts";
import { createQueryEmbeddings, NO_QUERY_EMBEDDINGS, type QueryEmbeddings } from "./query-embedding.ts";
import { selectEndOfWindow } from "./memory-embedding.queries.ts";
import { createVectorIndex } from "./memory-vector-index.queries.ts";

const AFTER_ALL_IDS = "ffffffff-ffff-ffff-ffff-ffffffffffff";
/** So many memories are checked at once for whether they have a vector; of the newest fewer, because that is done often. */
const WINDOW_SIZE = 2_000;
const NEWEST_SIZE = 200;
const PAUSE_MS = 1_000;
/** How much longer all memories are left alone than it took to check them, and at most. */
const REST_SHARE = 50;
const MAX_REST_MS = 10 * 60_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 5 * 60_000;

export interface MemoryEmbeddingsDeps extends Deps<"db" | "logger"> {
  readonly processes: Pick<ProcessRegistry, "processId">;
  /** Null if none is configured. */
  readonly model: EmbeddingModel | null;
}

export interface MemoryEmbeddings extends Closable, QueryEmbeddings {
  readonly isConfigured: boolean;
  /** Why memories or queries get no vectors; null if they do, or if no model is configured. */
  readonly problem: EmbeddingProblem | null;
  start(): Promise<void>;
  /** Gives every memory that lacks one its vector, unless another process does. Throws {@link EmbeddingError}. */
  catchUp(): Promise<void>;
}

/**
 * Gives memories their vectors, in the background and in one process at a time, the newest first. What is stored is done:
 * whatever ends it, it goes on with those that have none of the current model and of what they say now.
 */
export function createMemoryEmbeddings({ db, logger, processes, model }: MemoryEmbeddingsDeps): MemoryEmbeddings {
  const closing = new AbortController();
  const { signal } = closing;
  const embedder = model === null ? null : createMemoryEmbedder({ db, processes, model, signal });
  const queries = model === null ? null : createQueryEmbeddings({ model, logger }, signal);
  let running: Promise<void> | undefined;
  let problem: EmbeddingProblem | null = null;
  const isClosing = () => signal.aborted;

  async function run(): Promise<void> {
    let failures = 0;
    let nextPassMs = 0;
    while (!isClosing()) {
      const startedAtMs = performance.now();
      const isPassDue = startedAtMs >= nextPassMs;
      try {
        await (isPassDue ? catchUp() : embedNewest());
        const endedAtMs = performance.now();
        if (isPassDue) nextPassMs = endedAtMs + Math.min(REST_SHARE * (endedAtMs - startedAtMs), MAX_REST_MS);
        [failures, problem] = [0, null];
        await rest(PAUSE_MS);
      } catch (error) {
        if (isClosing()) return;
        logger.warn(toLogFields(error), "memories got no vectors");
        problem = error instanceof EmbeddingError ? error.problem : problem;
        await rest(retryDelayMs(failures, error));
        failures += 1;
      }
    }
  }

  /** Checks all memories, from the newest to the oldest. Those that are stored meanwhile come first. */
  async function catchUp(): Promise<void> {
    let before: string | null = AFTER_ALL_IDS;
    while (before !== null && embedder !== null && !isClosing()) {
      const end: string | null = await selectEndOfWindow(db.pool, before, WINDOW_SIZE);
      while (await embedder.embedSome({ before, end })) await embedNewest();
      before = end;
    }
  }

  async function embedNewest(): Promise<void> {
    const end = await selectEndOfWindow(db.pool, AFTER_ALL_IDS, NEWEST_SIZE);
    while (await embedder?.embedSome({ before: AFTER_ALL_IDS, end }));
  }

  async function rest(forMs: number): Promise<void> {
    await sleep(forMs, undefined, { signal }).catch(() => undefined);
  }

  return {
    isConfigured: model !== null,
    get problem() {
      return problem ?? queries?.problem ?? null;
    },
    find: (queries ?? NO_QUERY_EMBEDDINGS).find,
    async start() {
      if (embedder === null || running !== undefined) return;
      running = run();
      // Closing does not wait for it, because that may take minutes.
      void createVectorIndex(db.pool).catch((error: unknown) => {
        if (!isClosing()) logger.warn({ err: error }, "similar memories are found without an index");
      });
    },
    catchUp,

    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Longer after each failure, and no sooner than the endpoint asked for. */
function retryDelayMs(failures: number, error: unknown): number {
  const retryAfterMs = error instanceof EmbeddingError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), retryAfterMs), MAX_RETRY_MS);
}
