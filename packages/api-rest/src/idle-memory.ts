import { Session } from "node:inspector/promises";
import { performance } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import { repeat, type Closable } from "@workspace/core";
import type { Logger } from "pino";

const LOOK_EVERY_MS = 15_000;
/** An idle server works less than this share of the time. */
const IDLE_SHARE = 0.1;
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
 * Returns a function that collects garbage if the thread was idle since its last call and the young generation is large; it resolves
 * to whether it did. A collection stops the thread for some tens of milliseconds.
 *
 * @param measureWork - the share of the time that was spent on work since its last call
 */
export function createMemoryRelease(measureWork: () => number = createWorkMeter()): () => Promise<boolean> {
  return async () => {
    if (measureWork() > IDLE_SHARE || youngBytes() <= MAX_YOUNG_BYTES) return false;
    await collectGarbage();
    return true;
  };
}

function createWorkMeter(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    return utilization;
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
