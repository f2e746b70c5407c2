import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { OverloadedError } from "./errors.ts";

/** Whether so many more bytes may be held in memory for answers. */
export type HasRoom = (bytes: number) => boolean;

/** Reads texts that are held in memory as a whole, large ones one at a time. */
export interface LargeReads {
  /** Throws {@link OverloadedError} where too much is held or waits already; nothing has been read then. */
  run<T>(bytes: number, read: () => Promise<T>): Promise<T>;
}

/** What is smaller is read at once. */
const SMALLEST_LARGE_BYTES = 256 * 1024;
/** How long a request may wait for room that others take up. */
const MAX_WAIT_MS = 5_000;
const LOOK_EVERY_MS = 50;
/** How much may wait for its turn: a few seconds' work. */
const MAX_WAITING_BYTES = 512 * 1024 * 1024;

/**
 * A large text is read only where there is room for its answer, and when the one before it is done, so that requests that
 * wait hold nothing.
 */
export function createLargeReads(hasRoom: HasRoom, maxWaitMs = MAX_WAIT_MS): LargeReads {
  let last: Promise<void> = Promise.resolve();
  let waitingBytes = 0;

  async function waitForRoom(bytes: number, deadline: number): Promise<void> {
    while (!hasRoom(bytes)) {
      if (performance.now() >= deadline) {
        throw new OverloadedError("Too many large answers are being sent. Try again in a moment.");
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  async function runInTurn<T>(bytes: number, read: () => Promise<T>): Promise<T> {
    if (waitingBytes > 0 && waitingBytes + bytes > MAX_WAITING_BYTES) {
      throw new OverloadedError("Too many large files are being read. Try again in a moment.");
    }
    waitingBytes += bytes;
    const deadline = performance.now() + maxWaitMs;
    const result = last.then(async () => {
      await waitForRoom(bytes, deadline);
      return read();
    });
    // By the next turn of the loop its answer is accounted for where it is sent.
    last = result.then(
      () => nextTurn(),
      () => nextTurn(),
    );
    try {
      return await result;
    } finally {
      waitingBytes -= bytes;
    }
  }

  return {
    run: (bytes, read) => (bytes < SMALLEST_LARGE_BYTES ? read() : runInTurn(bytes, read)),
  };
}
