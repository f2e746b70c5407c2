/**
 * Loaded into the measured server with `node --import`: on each SIGUSR2 it appends the longest time in milliseconds for
 * which the thread has been blocked since the last one to the file named by STALLS. From Node 24 on this is the thread's CPU
 * time, which other load on the machine does not lengthen.
 */
import { appendFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const path = process.env["STALLS"] ?? "";
const takeLongest = "threadCpuUsage" in process ? watchCpuTime(process.threadCpuUsage) : watchTime();

process.on("SIGUSR2", () => appendFileSync(path, `${takeLongest()}\n`));

function watchCpuTime(threadCpuUsage) {
  let longestUs = 0;
  let before = threadCpuUsage.call(process);
  setInterval(() => {
    const now = threadCpuUsage.call(process);
    longestUs = Math.max(longestUs, now.user - before.user + now.system - before.system);
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
