import type { Collection, Row } from "./collection.ts";
import { toRequestError } from "./request-error.ts";

export interface OptimisticWrite<R extends Row, Output> {
  readonly collection: Collection<R>;
  /** The row to change; for a new one, a temporary id chosen by the caller. */
  readonly rowId: string;
  /** The row as it is shown from this frame on. */
  apply(row: R | undefined): R | undefined;
  /** Sends the write. Receives the server's id of the row, which a row created a moment ago only has by then. */
  send(id: string): Promise<Output>;
  /** The row as the server has it now; `shown` is the row as it was shown. Undefined keeps the previous row. */
  confirm(output: Output, shown: R | undefined): R | undefined;
}

/**
 * Shows a change in this frame and sends it; rolls it back visibly if the server refuses. Writes to one row are sent one
 * after the other, in the order in which they were made; writes to different rows do not wait for each other.
 *
 * Rejects with a RequestError, after the change has been rolled back.
 */
export async function writeOptimistically<R extends Row, Output>(
  write: OptimisticWrite<R, Output>,
): Promise<R | undefined> {
  const { collection, rowId } = write;
  const pending = collection.begin({ rowId, apply: write.apply });
  return collection.writes.add([rowId], async () => {
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
