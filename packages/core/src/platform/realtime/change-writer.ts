import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "@workspace/db";
import type { Deps } from "../deps.ts";
import type { Change } from "../events.ts";
import type { Redactor } from "../redactor.ts";
import { insertChanges, type NewChange } from "./change-event.queries.ts";

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

  async function write(): Promise<void> {
    await sleep(BATCH_WINDOW_MS);
    while (pending.length > 0) {
      const batch = pending;
      pending = [];
      try {
        await insertChanges(pool, batch);
      } catch (error) {
        logger.warn({ err: error, count: batch.length }, "changes could not be logged yet");
        if (isClosing) break;
        pending = [...batch, ...pending].slice(0, MAX_PENDING);
        await sleep(RETRY_MS);
      }
    }
    // No await since the check above, so the next change to be added starts a new round.
    writing = undefined;
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
      writing ??= write();
    },

    /** Makes one last attempt to write what is pending. */
    async close(): Promise<void> {
      isClosing = true;
      await writing;
    },
  };
}
