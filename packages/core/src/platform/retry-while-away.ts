import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "@workspace/db";

const RETRY_MS = 500;

/**
 * Repeats work that must not be lost for as long as it fails because the database is away, until `isPointless` says that
 * it need not be done any more; then the last failure is thrown. Other failures are thrown at once.
 */
export async function retryWhileAway<Value>(work: () => Promise<Value>, isPointless: () => boolean): Promise<Value> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || isPointless()) throw error;
      await sleep(RETRY_MS);
    }
  }
}
