/**
 * Loaded into the measured server with `node --import`: on each SIGUSR2 it appends the longest time in milliseconds for
 * which the thread has been blocked since the last one to the file named by STALLS. From Node 24 on, and on Linux, this is the
 * thread's CPU time, which other load on the machine does not lengthen.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const path = process.env["STALLS"] ?? "";
/** How long the main thread has run, in nanoseconds, then how long it has waited. */
const SCHEDULED = "/proc/self/schedstat";
const takeLongest =
  "threadCpuUsage" in process
    ? watchCpuTime(() => {
        const { user, system } = process.threadCpuUsage();
        return user + system;
      })
    : existsSync(SCHEDULED)
      ? watchCpuTime(() => Number.parseInt(readFileSync(SCHEDULED, "utf8"), 10) / 1e3)
      : watchTime();

process.on("SIGUSR2", () => appendFileSync(path, `${takeLongest()}\n`));

function watchCpuTime(readCpuTimeUs) {
  let longestUs = 0;
  let before = readCpuTimeUs();
  setInterval(() => {
    const now = readCpuTimeUs();
    longestUs = Math.max(longestUs, now - before);
    before = now;
  }, 1).unref();
  return () => {
    const longest = longestUs / 1e3;
    longestUs = 0;
    return longest;
  };
}

function watchTime() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  return () => {
    const longest = delay.max / 1e6;
    delay.reset();
    return longest;
  };
}
