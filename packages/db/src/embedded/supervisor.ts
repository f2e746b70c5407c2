import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { Postmaster } from "./postmaster.ts";

/** `restarting` from the moment the server is found dead until it accepts connections again. */
export type EmbeddedPostgresState = "running" | "restarting" | "closed";

export type StateListener = (state: EmbeddedPostgresState) => void;

/** Keeps a server running. */
export interface Supervisor {
  /** The server's process; undefined while there is none. */
  readonly pid: number | undefined;
  /** Calls the listener after every change of state; returns how to stop that. */
  onStateChange(listener: StateListener): () => void;
  /** Stops the server in order, or the attempts to restart it, and resolves when nothing runs any more. Idempotent. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;
/** A server that ends sooner after its start counts as one that does not start. */
const STABLE_AFTER_MS = 200;

/**
 * Starts a server and starts it again whenever it ends by itself, for as long as it takes: a full disk may have room
 * again later. Rejects only if the very first start fails.
 *
 * @param start - starts one server, and gives up when the signal comes; never called while one runs
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
      log.info({ pid: current.pid }, "PostgreSQL runs again");
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
  /** How often it has failed in a row already. */
  readonly failures: number;
}

/** Undefined when the signal came first; then nothing runs. */
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
      if (isWanted()) log.error({ err: error, failures: failures + 1 }, "PostgreSQL cannot be restarted, trying again");
    }
  }
  return undefined;
}

/** None before the first attempt, then twice as long each time. Ends early, without an error, when the signal comes. */
async function pause(failures: number, signal: AbortSignal): Promise<void> {
  if (failures === 0) return;
  const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (failures - 1), LONGEST_RETRY_MS);
  await sleep(delayMs, undefined, { signal }).catch(() => {});
}
