/**
 * Milliseconds since this process began, on a clock that never jumps. Node's `performance.now()` says the same, but loads
 * `node:perf_hooks` for it, which takes a hook longer than reading its input.
 */
export function sinceStartMs(): number {
  return process.uptime() * 1_000;
}
