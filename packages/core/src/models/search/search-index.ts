import { setImmediate as nextTurn } from "node:timers/promises";
import { SearchSource, transaction, type PoolClient } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import { giveWay } from "../../platform/give-way.ts";
import type { Closable } from "../../platform/repeat.ts";
import type { ResourceKind } from "../../platform/resources.ts";
import { createWakeUp } from "../../platform/wake-up.ts";
import { toSearchEntry } from "./search-entry.ts";
import {
  deleteSearchEntries,
  deleteUnusedWords,
  storeSearchEntries,
  takeSearchChanges,
  tryLockSearchIndex,
  type ChangedRow,
  type SearchEntry,
} from "./search-entry.queries.ts";
import { ROW_SOURCES } from "./search-sources.ts";

const BATCH_CHANGES = 200;
/** Computing the vectors of so much text takes a few milliseconds of the main thread. */
const SLICE_CHARACTERS = 10_000;
/** Changes of other processes, and of what publishes none, are found this soon. */
const CHECK_EVERY_MS = 1_000;
/** How long a search waits for what has just been changed here. */
const SEARCH_WAIT_MS = 1_000;
const WORDS_BATCH = 500;
/** Several changes within this time cost one transaction. */
const BATCH_WINDOW_MS = 20;
/** What is found soon after it has changed; events of hooks are too many for that. */
const RESOURCES: ReadonlySet<ResourceKind> = new Set<ResourceKind>([
  "task",
  "document",
  "conversation",
  "memory",
  "agent",
  "secret",
]);

export type SearchIndexDeps = Deps<"db" | "events" | "logger">;

export interface SearchIndex extends Closable {
  start(): Promise<void>;
  /** Writes the entries of all pending changes that no other process is writing. */
  catchUp(): Promise<void>;
  /** Has changes indexed soon of which there is no event, such as texts that are stored after their documents. */
  noteChanges(): void;
  /** Resolves when what this process has published or noted is found, or after a moment. */
  settled(): Promise<void>;
}

/**
 * Writes the search entries of rows that have changed. The triggers of their tables note changes in the same transaction, and a
 * change is no longer pending when its entry is stored: whatever dies in between, the next process does it again. One process at
 * a time writes, so that none overwrites an entry by an older one. The last changes come first: people look for what is new while
 * years of rows are indexed for the first time.
 */
export function createSearchIndex({ db, events, logger }: SearchIndexDeps): SearchIndex {
  const closing = new AbortController();
  const wakeUp = createWakeUp();
  /** Ends a rest, because a search waits. */
  const searchCall = createWakeUp();
  const waiting = new Set<() => void>();
  let running: Promise<void> | undefined;
  /** How many changes this process has published or noted, and of how many the entries are stored. */
  let publishedCount = 0;
  let indexedCount = 0;
  let unsubscribe = (): void => undefined;

  function noteChanges(): void {
    publishedCount += 1;
    wakeUp.wake();
  }

  async function run(): Promise<void> {
    await forgetUnusedWords().catch((error: unknown) => logger.warn({ err: error }, "words could not be swept"));
    while (!closing.signal.aborted) {
      await catchUp().catch((error: unknown) => logger.warn({ err: error }, "changes could not be indexed for search"));
      await wakeUp.wait(CHECK_EVERY_MS, closing.signal);
      await searchCall.wait(BATCH_WINDOW_MS, closing.signal);
    }
  }

  async function catchUp(): Promise<void> {
    for (let hasMore = true; hasMore && !closing.signal.aborted;) {
      const startedAtMs = performance.now();
      const included = publishedCount;
      const count = await transaction(db.pool, indexChanges);
      indexedCount = Math.max(indexedCount, included);
      for (const resolve of waiting) resolve();
      await restAfter(startedAtMs);
      hasMore = count === BATCH_CHANGES;
    }
  }

  async function forgetUnusedWords(): Promise<void> {
    for (let after: number | null = 0; after !== null && !closing.signal.aborted;) {
      const startedAtMs = performance.now();
      after = await deleteUnusedWords(db.pool, { afterId: after, limit: WORDS_BATCH });
      await restAfter(startedAtMs);
    }
  }

  const restAfter = (startedAtMs: number): Promise<void> =>
    giveWay({
      tookMs: performance.now() - startedAtMs,
      rest: (forMs) => searchCall.wait(forMs, closing.signal),
      isOver: () => waiting.size > 0 || closing.signal.aborted,
    });

  return {
    async start() {
      unsubscribe = events.subscribe(({ resource }) => {
        if (RESOURCES.has(resource)) noteChanges();
      });
      running ??= run();
    },
    catchUp,
    noteChanges,

    async settled() {
      if (running === undefined || indexedCount === publishedCount) return;
      const wanted = publishedCount;
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        const check = (): void => {
          if (indexedCount >= wanted) finish();
        };
        const timer = setTimeout(finish, SEARCH_WAIT_MS);
        waiting.add(check);
        searchCall.wake();
      });
    },

    async close() {
      unsubscribe();
      closing.abort();
      await running;
    },
  };
}

/** Returns how many changes were taken. */
async function indexChanges(client: PoolClient): Promise<number> {
  if (!(await tryLockSearchIndex(client))) return 0;
  const changes = await takeSearchChanges(client, BATCH_CHANGES);
  for (const source of Object.values(SearchSource)) {
    const ids = new Set(changes.filter((change) => change.source === source).map(({ sourceId }) => sourceId));
    if (ids.size > 0) await indexRows(client, source, ids);
  }
  return changes.length;
}

async function indexRows(client: PoolClient, source: SearchSource, ids: ReadonlySet<string>): Promise<void> {
  const gone = new Set(ids);
  let slice: SearchEntry[] = [];
  let characters = 0;
  const { read, isTitled } = ROW_SOURCES[source];
  for (const row of await read(client, [...ids])) {
    gone.delete(row.id);
    slice.push(await toSearchEntry(source, row, { isTitled }));
    characters += row.text.length + row.title.length;
    if (characters < SLICE_CHARACTERS) continue;
    await storeSearchEntries(client, slice);
    await nextTurn();
    slice = [];
    characters = 0;
  }
  if (slice.length > 0) await storeSearchEntries(client, slice);
  if (gone.size > 0)
    await deleteSearchEntries(
      client,
      [...gone].map((sourceId): ChangedRow => ({ source, sourceId })),
    );
}
