import { setMaxListeners } from "node:events";
import type { Db, Listener } from "@workspace/db";
import type { Clock } from "./clock.ts";
import { notify } from "./notify.ts";
import type { Closable } from "./repeat.ts";
import { createWakeUp, type WakeUp } from "./wake-up.ts";

/** How often to read again, in case a notification was lost. */
const CHECK_INTERVAL_MS = 2_000;

/** Requests that wait here for a change of something in the database, which may be made through any process. */
export interface NotifiedWaits extends Closable {
  /**
   * Reads now and after each change of what the key names, until there is nothing to wait for or the given time is over, and returns
   * what was read last. `worthUntil` is the time in milliseconds until which it is worth waiting for another value; 0 if it is not.
   */
  wait<Value>(
    key: string,
    forMs: number,
    read: () => Promise<Value>,
    worthUntil: (value: Value) => number,
  ): Promise<Value>;
  /** Reports to all processes that what the key names has changed. */
  wake(key: string): Promise<void>;
  start(): Promise<void>;
}

export interface NotifiedWaitsDeps {
  readonly db: Db;
  readonly listener: Listener;
  readonly clock: Clock;
  /** The channel that notifies all processes, by key. */
  readonly channel: string;
}

export function createNotifiedWaits({ db, listener, clock, channel }: NotifiedWaitsDeps): NotifiedWaits {
  const waiting = new Map<string, Set<WakeUp>>();
  const stopped = new AbortController();
  // One for each request that waits.
  setMaxListeners(0, stopped.signal);
  const closers: (() => unknown)[] = [];

  const wakeHere = (key: string) => waiting.get(key)?.forEach((wakeUp) => wakeUp.wake());

  function add(key: string, wakeUp: WakeUp): () => void {
    const others = waiting.get(key) ?? new Set();
    waiting.set(key, others.add(wakeUp));
    return () => {
      others.delete(wakeUp);
      if (others.size === 0) waiting.delete(key);
    };
  }

  return {
    async wait(key, forMs, read, worthUntil) {
      const end = clock.now().getTime() + forMs;
      const wakeUp = createWakeUp();
      const remove = add(key, wakeUp);
      try {
        for (;;) {
          const value = await read();
          const leftMs = Math.min(end, worthUntil(value)) - clock.now().getTime();
          if (leftMs <= 0 || stopped.signal.aborted) return value;
          await wakeUp.wait(Math.min(leftMs, CHECK_INTERVAL_MS), stopped.signal);
        }
      } finally {
        remove();
      }
    },

    async wake(key) {
      wakeHere(key);
      await notify(db.pool, channel, key);
    },

    async start() {
      closers.push(await listener.listen(channel, wakeHere));
    },

    async close() {
      stopped.abort();
      for (const close of closers.splice(0).toReversed()) await close();
    },
  };
}
