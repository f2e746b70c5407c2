import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { Postmaster } from "./postmaster.ts";

/** `restarting` from the moment the server is found to have ended until it accepts connections again. */
export type EmbeddedPostgresState = "running" | "restarting" | "closed";

export type StateListener = (state: EmbeddedPostgresState) => void;

/** Keeps a server running. */
export interface Supervisor {
  /** The process id of the server; undefined while there is none. */
  readonly pid: number | undefined;
  /** Calls the listener after every change of state; returns a function that unsubscribes it. */
  onStateChange(listener: StateListener): () => void;
  /** Shuts down the server, or stops restarting it, and resolves once nothing is running. Idempotent. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;
/** A server that ends sooner than this after its start counts as a failed start. */
const STABLE_AFTER_MS = 200;

/**
 * Starts a server and restarts it whenever it ends by itself, with unlimited attempts: a full disk may have space again later.
 * Rejects only if the first start fails.
 *
 * @param start - starts one server and aborts on the signal; never called while one is running
 */
export async function supervise(
  start: (signal: AbortSignal) => Promise<Postmaster>,
  { log, abortSignal }: { log: Log; abortSignal?: AbortSignal },
): Promise<Supervisor> {
  const listeners = new Set<StateListener>();
  const closing = new AbortController();
  let current: Postmaster | undefined = await start(abortSignal ?? closing.signal);

  const announce = (state: EmbeddedPostgresState): void => {
    for (const listener of listeners) {
      try {
        listener(state);
      } catch (error) {
        log.error({ err: error, state }, "a listener for the state of the database failed");
      }
    }
  };
  const watch = async (): Promise<void> => {
    let quickEnds = 0;
    while (current !== undefined) {
      const startedAt = performance.now();
      const reason = await current.ended;
      current = undefined;
      if (closing.signal.aborted) return;
      log.error({ reason }, "PostgreSQL ended unexpectedly, restarting it");
      announce("restarting");
      quickEnds = performance.now() - startedAt < STABLE_AFTER_MS ? quickEnds + 1 : 0;
      current = await startUntilItWorks(start, { log, signal: closing.signal, failures: Math.max(0, quickEnds - 1) });
      if (current === undefined) return;
      log.info({ pid: current.pid }, "PostgreSQL is running again");
      announce("running");
    }
  };
  const watching = watch();

  const close = async (): Promise<void> => {
    closing.abort();
    await current?.stop();
    await watching;
    announce("closed");
  };
  let closed: Promise<void> | undefined;
  return {
    get pid() {
      return current?.pid;
    },
    onStateChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => (closed ??= close()),
  };
}

interface RestartOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** How many consecutive starts have failed. */
  readonly failures: number;
}

/** Undefined if the signal came first; then nothing is running. */
async function startUntilItWorks(
  start: (signal: AbortSignal) => Promise<Postmaster>,
  { log, signal, failures: earlierFailures }: RestartOptions,
): Promise<Postmaster | undefined> {
  const isWanted = (): boolean => !signal.aborted;
  for (let failures = earlierFailures; isWanted(); failures += 1) {
    await pause(failures, signal);
    try {
      const postmaster = await start(signal);
      if (isWanted()) return postmaster;
      await postmaster.stop();
    } catch (error) {
      if (isWanted()) log.error({ err: error, failures: failures + 1 }, "PostgreSQL could not be restarted, retrying");
    }
  }
  return undefined;
}

/** No delay before the first attempt, then doubled each time. Returns early, without an error, on the signal. */
async function pause(failures: number, signal: AbortSignal): Promise<void> {
  if (failures === 0) return;
  const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
  await sleep(delayMs, undefined, { signal }).catch(() => {});
}
