/**
 * Milliseconds since this process started, on a monotonic clock. Node's `performance.now()` is equivalent, but loads
 * `node:perf_hooks`, which takes a hook longer than reading its input.
 */
export function sinceStartMs(): number {
  return process.uptime() * 1_000;
}
