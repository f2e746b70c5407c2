import { UnavailableError } from "@workspace/core";

/** Requests that may be waiting for a password to be hashed; at about 0.1 s each, the last of them waits for some seconds. */
const MAX_WAITING = 32;
const RETRY_AFTER_S = 5;

/** As many passwords are waiting to be hashed as may. */
export class PasswordQueueFullError extends UnavailableError {
  readonly retryAfterS = RETRY_AFTER_S;

  constructor() {
    super("Too many people are signing in at this moment. Try again in a few seconds.");
  }
}

/** Runs work that hashes passwords. Rejects with {@link PasswordQueueFullError}, without beginning it, where too much waits. */
export type PasswordQueue = <Value>(work: () => Promise<Value>) => Promise<Value>;

/**
 * Bounds the requests that wait for a hash. Passwords are hashed one at a time for the whole process, whoever they come from,
 * so this is what limits callers with addresses without number.
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
