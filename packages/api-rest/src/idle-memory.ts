import { Session } from "node:inspector/promises";
import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import { repeat, type Closable } from "@workspace/core";
import type { Logger } from "pino";

const LOOK_EVERY_MS = 15_000;
/** An idle server uses less than this share of a processor; ten requests a second use more. */
const IDLE_SHARE = 0.02;
/** What the young generation may keep: more than an idle server fills within minutes. */
const MAX_YOUNG_BYTES = 8 * 1024 * 1024;

/**
 * Gives memory back to the system when the server has become idle: what a start or many requests have filled, V8 keeps until a full
 * collection, of which an idle server needs hardly any ([188](../../../docs/decisions/0188-memory-of-an-idle-server.md)).
 */
export function startReleasingMemory(logger: Pick<Logger, "warn">): Closable {
  return repeat(createMemoryRelease(), {
    everyMs: LOOK_EVERY_MS,
    onError: (error) => logger.warn({ err: error }, "memory could not be given back to the system"),
  });
}

/**
 * Returns a function that collects garbage if the process was idle since its last call and the young generation is large; it resolves
 * to whether it did. A collection stops the thread for some tens of milliseconds.
 *
 * @param measureWork - how much of a processor was used since its last call: 0 is nothing, 1 one of them all the time
 */
export function createMemoryRelease(measureWork: () => number = createWorkMeter()): () => Promise<boolean> {
  return async () => {
    if (measureWork() > IDLE_SHARE || youngBytes() <= MAX_YOUNG_BYTES) return false;
    await collectGarbage();
    return true;
  };
}

/** Processor time, because on a busy machine a process seems to work while it waits for a processor. */
function createWorkMeter(): () => number {
  let lastAt = performance.now();
  let lastUsed = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(lastUsed);
    const share = (user + system) / 1000 / (performance.now() - lastAt);
    lastAt = performance.now();
    lastUsed = process.cpuUsage();
    return share;
  };
}

/** The bytes that V8 has reserved for new objects. */
export function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
}

/** Unlike `gc()`, this makes the young generation smaller whatever was allocated before, and needs no flag. */
async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}
