import type { Pool } from "@workspace/db";
import type { EventBus } from "../../platform/events.ts";
import { fileTouches } from "../file-history/file-touches.ts";
import { moveFolderMemories } from "../memory/folder-memories.ts";
import { namedTasks } from "../task-sessions/named-tasks.ts";
import { insertHookEvents } from "./hook-event.queries.ts";
import type { HookEvent } from "./hook-event.schema.ts";
import { sessionFolders } from "./session-folders.ts";

/** The maximum number of rows per statement; a larger batch gets a statement of its own. */
const MAX_ROWS = 500;

/** A batch that waits to be stored as a whole. */
interface PendingBatch {
  readonly events: readonly HookEvent[];
  resolve(addedIds: ReadonlySet<string> | Promise<ReadonlySet<string>>): void;
  reject(error: unknown): void;
}

export interface HookEventWriter {
  /** Stores all of the events or none, and returns the ids of those that were new. */
  write(events: readonly HookEvent[]): Promise<ReadonlySet<string>>;
}

/**
 * Stores events in order of arrival. Batches that arrive while a statement is running are combined in the next one. Each
 * statement is announced as one change, which names the last of its new events.
 */
export function createHookEventWriter({ pool, events: bus }: { pool: Pool; events: EventBus }): HookEventWriter {
  let queue: PendingBatch[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (queue.length > 0) await writeTogether(takeBatch());
    isRunning = false;
  }

  /** Takes the batches for the next statement, without two events of the same id, because only one of them would be stored. */
  function takeBatch(): PendingBatch[] {
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

  async function writeTogether(batch: readonly PendingBatch[]): Promise<void> {
    try {
      const events = batch.flatMap((waiting) => waiting.events);
      const touches = events.flatMap(fileTouches);
      const folders = sessionFolders(events, touches);
      const { ids: added, newFolders } = await insertHookEvents(pool, events, touches, folders, namedTasks(events));
      // Other batches do not wait for it. The events are stored, whatever becomes of it: what is left behind is moved every hour.
      const done = () => added;
      const moved =
        newFolders.length === 0 ? added : moveFolderMemories({ pool, events: bus }, newFolders).then(done, done);
      for (const waiting of batch) waiting.resolve(moved);
      announce(events, added);
    } catch (error) {
      // A batch that the database rejects must not affect the others.
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
