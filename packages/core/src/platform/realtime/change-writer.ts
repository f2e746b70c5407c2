import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "@workspace/db";
import type { Deps } from "../deps.ts";
import type { Change } from "../events.ts";
import type { Redactor } from "../redactor.ts";
import { insertChanges, insertGap, type NewChange } from "./change-event.queries.ts";

/** How long a batch waits for more changes, so that a burst costs one statement. */
const BATCH_WINDOW_MS = 15;
/** Changes beyond this are dropped. */
const MAX_PENDING = 10_000;
const RETRY_MS = 500;

export interface ChangeWriterOptions extends Deps<"clock" | "logger"> {
  readonly pool: Pool;
  readonly redactor: Redactor;
}

/** Appends this process's changes to the log in batches, in the background. */
export function createChangeWriter({ pool, clock, redactor, logger }: ChangeWriterOptions) {
  let pending: NewChange[] = [];
  let hasOverflowed = false;
  let isClosing = false;
  let writing: Promise<void> | undefined;
  let window = new AbortController();
  /** How many changes were added so far, and how many of them are in the log. */
  const count = { added: 0, written: 0 };
  let waiters: { readonly upTo: number; readonly resolve: () => void }[] = [];

  async function write(): Promise<void> {
    window = new AbortController();
    if (waiters.length === 0) await sleep(BATCH_WINDOW_MS, undefined, { signal: window.signal }).catch(() => undefined);
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        if (hasOverflowed) await insertGap(pool, clock.now());
        hasOverflowed = false;
        await insertChanges(pool, batch);
        count.written += batch.length;
        release();
      } catch (error) {
        logger.warn({ err: error, count: batch.length }, "changes could not be logged yet");
        if (isClosing) break;
        pending = [...batch, ...pending];
        await sleep(RETRY_MS);
      }
    }
    // No await since the check above, so the next change to be added starts a new round.
    writing = undefined;
  }

  function release(): void {
    const released = waiters.filter(({ upTo }) => upTo <= count.written);
    waiters = waiters.filter(({ upTo }) => upTo > count.written);
    for (const { resolve } of released) resolve();
  }

  return {
    add(change: Change): void {
      if (pending.length >= MAX_PENDING) {
        if (!hasOverflowed) logger.error({}, "too many changes are waiting to be logged; clients will miss some");
        hasOverflowed = true;
        return;
      }
      const resourceName = change.resourceName === null ? null : redactor.redact(change.resourceName);
      pending.push({ ...change, resourceName, happenedAt: clock.now() });
      count.added += 1;
      writing ??= write();
    },

    /** Resolves once all changes that were added so far are in the log, which does not wait for more then. */
    async written(): Promise<void> {
      if (count.written === count.added) return;
      await new Promise<void>((resolve) => {
        waiters.push({ upTo: count.added, resolve });
        window.abort();
      });
    },

    /** Makes one last attempt to write what is pending. */
    async close(): Promise<void> {
      isClosing = true;
      await writing;
    },
  };
}
