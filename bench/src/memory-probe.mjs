/**
 * Loaded into the measured server by `node --import`: writes what its memory is made of, one JSON line each ten seconds, into
 * the file that MEMORY_SAMPLES names.
 */
import { appendFileSync } from "node:fs";
import { constants, PerformanceObserver } from "node:perf_hooks";

const INTERVAL_MS = 10_000;

const path = process.env["MEMORY_SAMPLES"];
/** What a full collection has left; between two of them `heapUsed` says more about garbage than about what is held. */
let liveBytes = process.memoryUsage().heapUsed;

new PerformanceObserver((list) => {
  const isFull = list.getEntries().some((entry) => {
    const { detail } = entry;
    return (
      typeof detail === "object" &&
      detail !== null &&
      "kind" in detail &&
      detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
    );
  });
  if (isFull) liveBytes = process.memoryUsage().heapUsed;
}).observe({ entryTypes: ["gc"] });

function sample() {
  if (path === undefined) return;
  const { rss, heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const handles = process.getActiveResourcesInfo().length;
  const line = { atMs: Date.now(), rss, heapTotal, heapUsed, liveBytes, external, arrayBuffers, handles };
  appendFileSync(path, `${JSON.stringify(line)}\n`);
}

setInterval(sample, INTERVAL_MS).unref();
