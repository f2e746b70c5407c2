import { setTimeout as sleep } from "node:timers/promises";

/** Something that runs until it is closed. */
export interface Closable {
  /** Resolves when nothing of it is under way any more. Idempotent. */
  close(): Promise<void>;
}

export interface RepeatOptions {
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
}

/** Runs `work` again and again, never twice at once. A failure is reported, and the next time comes all the same. */
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
