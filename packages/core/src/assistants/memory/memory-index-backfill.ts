import { setTimeout as sleep } from "node:timers/promises";
import { transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { Closable } from "../../platform/repeat.ts";
import { deleteUnusedWords, selectUnindexedMemories, tryLockUnindexedMemories } from "./memory-index.queries.ts";
import { indexMemories } from "./memory-index.ts";

/** Few, because they are locked meanwhile, and their index entries are computed on the main thread. */
const BATCH_SIZE = 10;
const WORDS_BATCH_SIZE = 500;
/** How much longer than it works it rests. */
const REST_SHARE = 3;
const RETRY_MS = 1_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

export type MemoryIndexBackfillDeps = Deps<"db" | "logger">;

export interface MemoryIndexBackfill extends Closable {
  /** Begins; does not wait for the end. */
  start(): Promise<void>;
  /** Resolves when every memory is indexed and unused words are gone, or on closing. */
  idle(): Promise<void>;
}

/**
 * Indexes memories that were stored before there was the index, a few at a time and one process at a time, and forgets words
 * that no memory has any more. What is done is done: after an end, be it a crash, the next start goes on with what is left.
 */
export function createMemoryIndexBackfill({ db, logger }: MemoryIndexBackfillDeps): MemoryIndexBackfill {
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    await inBatches(FIRST_ID, indexBatch);
    // Words of memories that were deleted or reworded.
    await inBatches(0, sweepBatch);
  }

  /** Goes on from what each batch returns, until that is null, with rests between. */
  async function inBatches<Cursor>(
    first: Cursor,
    batch: (client: PoolClient, after: Cursor) => Promise<Cursor | null>,
  ): Promise<void> {
    let after: Cursor | null = first;
    while (after !== null && !closing.signal.aborted) {
      const from: Cursor = after;
      const startedAtMs = performance.now();
      // Null while another process is at it, or the database is away.
      const outcome = await transaction(db.pool, async (client) =>
        (await tryLockUnindexedMemories(client)) ? { after: await batch(client, from) } : null,
      ).catch((error: unknown) => {
        logger.warn({ err: error }, "memories could not be indexed");
        return null;
      });
      if (outcome !== null) after = outcome.after;
      await rest(outcome === null ? RETRY_MS : REST_SHARE * (performance.now() - startedAtMs));
    }
  }

  async function indexBatch(client: PoolClient, afterId: string): Promise<string | null> {
    const memories = await selectUnindexedMemories(client, { afterId, limit: BATCH_SIZE });
    await indexMemories(client, memories);
    return memories.at(-1)?.id ?? null;
  }

  function sweepBatch(client: PoolClient, afterId: number): Promise<number | null> {
    return deleteUnusedWords(client, { afterId, limit: WORDS_BATCH_SIZE });
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
