import { UnavailableError } from "@workspace/core";

/** How many requests may wait for a password to be hashed; at about 0.1 s each, the last waits a few seconds. */
const MAX_WAITING = 32;
const RETRY_AFTER_S = 5;

/** The queue of passwords to be hashed is full. */
export class PasswordQueueFullError extends UnavailableError {
  readonly retryAfterS = RETRY_AFTER_S;

  constructor() {
    super("Too many people are signing in right now. Try again in a few seconds.");
  }
}

/** Runs work that hashes passwords. Rejects with {@link PasswordQueueFullError}, without starting it, if the queue is full. */
export type PasswordQueue = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * Bounds the requests that wait for a hash. The whole process hashes one password at a time, so this is what limits callers
 * with an unlimited number of addresses.
 */
export function createPasswordQueue(): PasswordQueue {
  let waiting = 0;
  return async (work) => {
    if (waiting >= MAX_WAITING) throw new PasswordQueueFullError();
    waiting += 1;
    try {
      return await work();
    } finally {
      waiting -= 1;
    }
  };
}
