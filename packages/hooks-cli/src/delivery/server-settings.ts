import type { Home } from "../files/home.ts";
import { storeMemorySettings } from "../memory/memory-limits.ts";
import { markServerPolicyFetched, storeServerPolicy } from "../policy/policy-store.ts";
import type { Connection } from "./api-call.ts";
import { getMemorySettings, getPolicy } from "./workspace-api.ts";

/**
 * Fetches and stores what is set in the dashboard: the policy, and how much memory sessions are given. Throws if it cannot be
 * stored.
 */
export async function fetchServerSettings(home: Home, connection: Connection, deadlineMs: number): Promise<void> {
  const [policy, memory] = await Promise.all([
    getPolicy(connection, deadlineMs),
    getMemorySettings(connection, deadlineMs),
  ]);
  if (memory.kind === "ok") storeMemorySettings(home, memory.value);
  if (policy.kind !== "ok") return;
  storeServerPolicy(home, policy.value.document, policy.value.version);
  markServerPolicyFetched(home);
}
