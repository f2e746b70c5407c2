import { setTimeout as sleep } from "node:timers/promises";
import { transaction, type Db, type PoolClient } from "@workspace/db";
import type { Logger } from "../../platform/logger.ts";
import type { Closable } from "../../platform/repeat.ts";
import { selectUnindexedMemories, tryLockUnindexedMemories } from "./memory-index.queries.ts";
import { indexMemories } from "./memory-index.ts";

/** Few, because they are locked meanwhile, and their index entries are computed on the main thread. */
const BATCH_SIZE = 10;
/** How much longer than it works it rests. */
const REST_SHARE = 3;
const RETRY_MS = 1_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** What became of a batch: its last id, or why there was none. */
type Outcome = { readonly lastId: string } | "done" | "not now";

export interface MemoryIndexBackfillDeps {
  readonly db: Db;
  readonly logger: Logger;
}

export interface MemoryIndexBackfill extends Closable {
  /** Begins; does not wait for the end. */
  start(): Promise<void>;
  /** Resolves when every memory is indexed, or on closing. */
  idle(): Promise<void>;
}

/**
 * Indexes memories that were stored before there was the index, a few at a time and one process at a time. What is done
 * is done: after an end, be it a crash, the next start goes on with what is left.
 */
export function createMemoryIndexBackfill({ db, logger }: MemoryIndexBackfillDeps): MemoryIndexBackfill {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let afterId = FIRST_ID;
    while (!closing.signal.aborted) {
      const startedAtMs = performance.now();
      const outcome = await indexBatch(afterId).catch((error: unknown): Outcome => {
        logger.warn({ err: error }, "memories could not be indexed");
        return "not now";
      });
      if (outcome === "done") return;
      if (outcome !== "not now") afterId = outcome.lastId;
      await rest(outcome === "not now" ? RETRY_MS : REST_SHARE * (performance.now() - startedAtMs));
    }
  }

  function indexBatch(afterId: string): Promise<Outcome> {
    return transaction(db.pool, async (client: PoolClient): Promise<Outcome> => {
      if (!(await tryLockUnindexedMemories(client))) return "not now";
      const memories = await selectUnindexedMemories(client, { afterId, limit: BATCH_SIZE });
      await indexMemories(client, memories);
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
