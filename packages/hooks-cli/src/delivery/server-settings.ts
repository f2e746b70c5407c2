import { storeApprovalSettings } from "../approvals/approval-settings.ts";
import type { Home } from "../files/home.ts";
import { storeMemorySettings } from "../memory/memory-limits.ts";
import { markServerPolicyFetched, storeServerPolicy } from "../policy/policy-store.ts";
import type { Connection } from "./api-call.ts";
import { getApprovalSettings, getMemorySettings, getPolicy } from "./workspace-api.ts";

/**
 * Fetches and stores what is set in the dashboard: the policy, how much memory sessions are given, and where a person is asked.
 * Throws if it cannot be stored.
 */
export async function fetchServerSettings(home: Home, connection: Connection, deadlineMs: number): Promise<void> {
  const [policy, memory, approvals] = await Promise.all([
    getPolicy(connection, deadlineMs),
    getMemorySettings(connection, deadlineMs),
    getApprovalSettings(connection, deadlineMs),
  ]);
  if (memory.kind === "ok") storeMemorySettings(home, memory.value);
  if (approvals.kind === "ok") storeApprovalSettings(home, approvals.value);
  if (policy.kind !== "ok") return;
  storeServerPolicy(home, policy.value.document, policy.value.version);
  markServerPolicyFetched(home);
}
