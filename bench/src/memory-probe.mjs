/**
 * Loaded into the measured server with `node --import`: appends its memory usage to the file named by MEMORY_SAMPLES, one
 * JSON line every ten seconds.
 */
import { appendFileSync } from "node:fs";
import { constants, PerformanceObserver } from "node:perf_hooks";

const INTERVAL_MS = 10_000;

const path = process.env["MEMORY_SAMPLES"];
/** The heap after the last full collection; between collections `heapUsed` reflects garbage rather than live objects. */
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
