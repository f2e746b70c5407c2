import { poll } from "../../poll.ts";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until the condition holds, and fails the test if it does not within ten seconds. */
export async function eventually<T>(ask: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const answer = await poll(ask, { timeoutMs: 10_000, intervalMs: 10 });
  if (answer === undefined) throw new Error(`The condition was not met within 10 s: ${ask.toString()}`);
  return answer;
}
