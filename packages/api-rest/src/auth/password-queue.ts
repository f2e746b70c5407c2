import { UnavailableError } from "@workspace/core";

/** How many requests may wait for a password to be hashed; at about 0.1 s each, the last waits a few seconds. */
const MAX_WAITING = 32;
const RETRY_AFTER_S = 5;

/** The queue of passwords to be hashed is full. */
export class PasswordQueueFullError extends UnavailableError {
  override readonly retryAfterS = RETRY_AFTER_S;

  constructor() {
    super("Too many people are signing in right now. Try again in a few seconds.");
  }
}

/** Runs work that hashes passwords, one after the other. Rejects with {@link PasswordQueueFullError}, without starting it, if the queue is full. */
export type PasswordQueue = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * Bounds the requests that wait for a hash. The whole process hashes one password at a time, so this is what limits callers
 * with an unlimited number of addresses. What follows a hash belongs to its turn, so that nobody who has given a password acts after
 * somebody else has replaced it.
 */
export function createPasswordQueue(): PasswordQueue {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    if (waiting >= MAX_WAITING) throw new PasswordQueueFullError();
    waiting += 1;
    const own = last.then(work);
    last = own.catch(() => undefined);
    try {
      return await own;
    } finally {
      waiting -= 1;
    }
  };
}
