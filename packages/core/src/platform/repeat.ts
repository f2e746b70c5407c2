import { setTimeout as sleep } from "node:timers/promises";

/** Something that runs until it is closed. */
export interface Closable {
  /** Resolves once all of its work has stopped. Idempotent. */
  close(): Promise<void>;
}

export interface RepeatOptions {
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Runs `work` repeatedly, never twice at once. Errors are reported and do not stop it. */
export function repeat(work: () => Promise<unknown>, { everyMs, onError }: RepeatOptions): Closable {
  const closing = new AbortController();
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await work().catch(onError);
      await sleep(everyMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    close: () => {
      closing.abort();
      return running;
    },
  };
}
