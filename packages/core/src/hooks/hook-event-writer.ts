import type { Pool } from "@workspace/db";
import type { EventBus } from "../platform/events.ts";
import { insertHookEvents } from "./hook-event.queries.ts";
import type { HookEvent } from "./hook-event.schema.ts";

/** Rows of one statement; a batch that is larger by itself goes alone. */
const MAX_ROWS = 500;

/** Events that are stored all or none. */
interface Waiting {
  readonly events: readonly HookEvent[];
  resolve(addedIds: ReadonlySet<string>): void;
  reject(error: unknown): void;
}

export interface HookEventWriter {
  /** Stores all or none of them, and answers the ids of those that were new. */
  write(events: readonly HookEvent[]): Promise<ReadonlySet<string>>;
}

/**
 * Stores events in the order in which they come, those that come while a statement is under way together in the next one. A
 * statement is announced as one change, which names the last of the events that were new.
 */
export function createHookEventWriter({ pool, events: bus }: { pool: Pool; events: EventBus }): HookEventWriter {
  let queue: Waiting[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (queue.length > 0) await writeTogether(takeBatch());
    isRunning = false;
  }

  /** What can go in one statement: not two events with the same id, because only one of them would be stored. */
  function takeBatch(): Waiting[] {
    const ids = new Set<string>();
    const end = queue.findIndex(({ events }, index) => {
      const isRepeat = events.some((event) => ids.has(event.id));
      for (const event of events) ids.add(event.id);
      return index > 0 && (isRepeat || ids.size > MAX_ROWS);
    });
    const batch = end === -1 ? queue : queue.slice(0, end);
    queue = queue.slice(batch.length);
    return batch;
  }

  async function writeTogether(batch: readonly Waiting[]): Promise<void> {
    try {
      const events = batch.flatMap((waiting) => waiting.events);
      const added = await insertHookEvents(pool, events);
      for (const waiting of batch) waiting.resolve(added);
      announce(events, added);
    } catch (error) {
      // One that the database does not take must not take the others with it.
      if (batch.length > 1) for (const waiting of batch) await writeTogether([waiting]);
      else batch[0]?.reject(error);
    }
  }

  function announce(events: readonly HookEvent[], added: ReadonlySet<string>): void {
    const last = events.findLast((event) => added.has(event.id));
    if (last === undefined) return;
    const resourceName = added.size === 1 ? (last.toolName ?? last.eventType) : `${added.size} events`;
    bus.publish({ resource: "hook", action: "create", resourceId: last.id, resourceName });
  }

  return {
    write: (events) =>
      new Promise((resolve, reject) => {
        queue.push({ events, resolve, reject });
        void run();
      }),
  };
}
