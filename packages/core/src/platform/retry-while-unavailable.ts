import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "@workspace/db";

const RETRY_MS = 500;

/**
 * Retries work that must not be lost for as long as the database is unavailable, or until `shouldAbort` returns true; then
 * the last error is thrown. Other errors are thrown immediately.
 */
export async function retryWhileUnavailable<Value>(
  work: () => Promise<Value>,
  shouldAbort: () => boolean,
): Promise<Value> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || shouldAbort()) throw error;
      await sleep(RETRY_MS);
    }
  }
}
