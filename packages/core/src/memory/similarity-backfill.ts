import { setTimeout as sleep } from "node:timers/promises";
import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Logger } from "../platform/logger.ts";
import type { Closable } from "../platform/repeat.ts";
import { selectKeylessMemories, tryLockKeylessMemories } from "./memory-similarity.queries.ts";
import { addSimilarityKeys } from "./similarity-index.ts";

/** Few, because they are locked meanwhile, and their keys are computed on the main thread. */
const BATCH_SIZE = 10;
/** How much longer than it works it rests. */
const REST_SHARE = 3;
const RETRY_MS = 1_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** What became of a batch: its last id, or why there was none. */
type Outcome = { readonly lastId: string } | "done" | "not now";

export interface SimilarityBackfillDeps {
  readonly db: Db;
  readonly logger: Logger;
}

export interface SimilarityBackfill extends Closable {
  /** Begins; does not wait for the end. */
  start(): Promise<void>;
  /** Resolves when every memory has its keys, or on closing. */
  idle(): Promise<void>;
}

/**
 * Adds the keys of memories that were stored before there were any, a few at a time and one process at a time. What is done
 * is done: after an end, be it a crash, the next start goes on with what is left.
 */
export function createSimilarityBackfill({ db, logger }: SimilarityBackfillDeps): SimilarityBackfill {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let afterId = FIRST_ID;
    while (!closing.signal.aborted) {
      const startedAtMs = performance.now();
      const outcome = await addKeys(afterId).catch((error: unknown): Outcome => {
        logger.warn({ err: error }, "similarity keys of memories could not be added");
        return "not now";
      });
      if (outcome === "done") return;
      if (outcome !== "not now") afterId = outcome.lastId;
      await rest(outcome === "not now" ? RETRY_MS : REST_SHARE * (performance.now() - startedAtMs));
    }
  }

  function addKeys(afterId: string): Promise<Outcome> {
    return transaction(db.pool, async (client: PoolClient): Promise<Outcome> => {
      if (!(await tryLockKeylessMemories(client))) return "not now";
      const memories = await selectKeylessMemories(client, { afterId, limit: BATCH_SIZE });
      await addSimilarityKeys(client, memories);
      const last = memories.at(-1);
      return last === undefined ? "done" : { lastId: last.id };
    });
  }

  async function rest(forMs: number): Promise<void> {
    await sleep(forMs, undefined, { signal: closing.signal }).catch(() => undefined);
  }

  return {
    async start() {
      running ??= run();
    },
    idle: async () => running,

    async close() {
      closing.abort();
      await running;
    },
  };
}
