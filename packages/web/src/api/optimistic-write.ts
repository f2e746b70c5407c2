import type { Collection, PendingHandle, Row } from "./collection.ts";
import { toRequestError } from "./request-error.ts";

/** Keeps changes that cannot be sent now. */
export interface WriteOutbox<R extends Row> {
  /** Whether the change is to be kept without trying to send it. */
  isFirst(): boolean;
  /** Keeps a change that is shown; false if that is not possible. */
  keep(pending: PendingHandle<R>): Promise<boolean>;
}

export interface OptimisticWrite<R extends Row, Output> {
  readonly collection: Collection<R>;
  /** Without it, a change is only sent. */
  readonly outbox?: WriteOutbox<R>;
  /** The id that a new row will have, if it is chosen here. */
  readonly chosenId?: string;
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
 * A change that cannot be sent is kept in the outbox, if there is one, and stays as it is shown. Rejects with a RequestError, after the
 * change has been rolled back.
 */
export async function writeOptimistically<R extends Row, Output>(
  write: OptimisticWrite<R, Output>,
): Promise<R | undefined> {
  const { collection, rowId, chosenId, outbox } = write;
  const pending = collection.begin({ rowId, chosenId, apply: write.apply });
  return collection.writes.add([rowId], async () => {
    // What was changed before is still to be sent, or the server is known to be away.
    if (outbox?.isFirst() === true && (await outbox.keep(pending))) return collection.get(rowId);
    try {
      const output = await write.send(collection.realId(rowId));
      const row = write.confirm(output, collection.get(rowId));
      if (row === undefined) pending.rollback();
      else pending.confirm(row);
      return row;
    } catch (error) {
      const failure = toRequestError(error);
      if (failure.kind === "no-response" && (await outbox?.keep(pending)) === true) return collection.get(rowId);
      pending.rollback();
      throw failure;
    }
  });
}
