import type { Collection, Row } from "./collection.ts";
import { toRequestError } from "./request-error.ts";

export interface OptimisticWrite<R extends Row, Output> {
  readonly collection: Collection<R>;
  /** The row that changes; for a new one, a temporary id of the caller's making. */
  readonly rowId: string;
  /** What the row looks like from this frame on. */
  apply(row: R | undefined): R | undefined;
  /** Sends the write. Is given the server's id of the row, which a row made a moment ago has only by then. */
  send(id: string): Promise<Output>;
  /** The row as the server has it now; `shown` is the row as it was shown. Undefined leaves what was known before. */
  confirm(output: Output, shown: R | undefined): R | undefined;
}

const lastWrites = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Shows a change in this frame and sends it; takes it back visibly where the server refuses. Writes to one row are sent
 * one after the other, in the order in which they were made; writes to different rows do not wait for each other.
 *
 * Rejects with a RequestError, after the change was taken back.
 */
export async function writeOptimistically<R extends Row, Output>(
  write: OptimisticWrite<R, Output>,
): Promise<R | undefined> {
  const { collection, rowId } = write;
  const pending = collection.begin({ rowId, apply: write.apply });
  return afterEarlierWrites(collection, [rowId], async () => {
    try {
      const output = await write.send(collection.realId(rowId));
      const row = write.confirm(output, collection.get(rowId));
      if (row === undefined) pending.rollback();
      else pending.confirm(row);
      return row;
    } catch (error) {
      pending.rollback();
      throw toRequestError(error);
    }
  });
}

/**
 * Makes a write once all earlier ones to any of these rows are done, whether or not they succeeded: those that failed have
 * told their own callers. Later writes to the rows wait for it.
 */
export async function afterEarlierWrites<Result>(
  owner: object,
  rowIds: readonly string[],
  write: () => Promise<Result>,
): Promise<Result> {
  const queues = lastWrites.get(owner) ?? new Map<string, Promise<unknown>>();
  lastWrites.set(owner, queues);
  const earlier = rowIds.flatMap((rowId) => queues.get(rowId) ?? []);
  const current = earlier.length === 0 ? write() : Promise.allSettled(earlier).then(write);
  for (const rowId of rowIds) queues.set(rowId, current);
  try {
    return await current;
  } finally {
    for (const rowId of rowIds) if (queues.get(rowId) === current) queues.delete(rowId);
  }
}
