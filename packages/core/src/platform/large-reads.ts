import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { OverloadedError } from "./errors.ts";

/** Whether there is room in memory to hold this many more bytes of responses. */
export type HasRoom = (bytes: number) => boolean;

/** Reads content that is held in memory as a whole; large reads run one at a time. */
export interface LargeReads {
  /** Throws {@link OverloadedError}, without reading, if too much is being held or queued already. */
  run<T>(bytes: number, read: () => Promise<T>): Promise<T>;
}

/** Anything smaller is read immediately. */
const MIN_LARGE_BYTES = 256 * 1024;
/** How long a request may wait for memory that others are using. */
const MAX_WAIT_MS = 5_000;
const POLL_MS = 50;
/** How much may be queued: a few seconds' work. */
const MAX_QUEUED_BYTES = 512 * 1024 * 1024;

/**
 * Starts a large read only once the one before it has finished and there is room for its response, so that waiting
 * requests hold nothing.
 */
export function createLargeReads(hasRoom: HasRoom, maxWaitMs = MAX_WAIT_MS): LargeReads {
  let last: Promise<void> = Promise.resolve();
  let queuedBytes = 0;

  async function waitForRoom(bytes: number, deadline: number): Promise<void> {
    while (!hasRoom(bytes)) {
      if (performance.now() >= deadline) {
        throw new OverloadedError("Too many large responses are being sent. Try again in a moment.");
      }
      await sleep(POLL_MS);
    }
  }

  async function runInTurn<T>(bytes: number, read: () => Promise<T>): Promise<T> {
    if (queuedBytes > 0 && queuedBytes + bytes > MAX_QUEUED_BYTES) {
      throw new OverloadedError("Too many large files are being read. Try again in a moment.");
    }
    queuedBytes += bytes;
    const deadline = performance.now() + maxWaitMs;
    const result = last.then(async () => {
      await waitForRoom(bytes, deadline);
      return read();
    });
    // By the next turn of the event loop, `hasRoom` accounts for the response.
    last = result.then(
      () => nextTurn(),
      () => nextTurn(),
    );
    try {
      return await result;
    } finally {
      queuedBytes -= bytes;
    }
  }

  return {
    run: (bytes, read) => (bytes < MIN_LARGE_BYTES ? read() : runInTurn(bytes, read)),
  };
}
