import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Inputs, Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";

export type ToolApproval = Outputs["approvals"]["list"]["data"][number];
export type ToolDecision = Inputs["approvals"]["decide"]["decision"];

/** A change is announced, but not that the time is up. */
const REFETCH_MS = 15_000;

function openApprovalsQuery(client: Client) {
  return queryOptions({
    queryKey: ["approvals", "open"],
    queryFn: async ({ signal }) => (await client.api.approvals.list.query({ open: true, limit: 100 }, { signal })).data,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? REFETCH_MS : false),
    staleTime: 0,
  });
}

/** The calls that wait for a decision, oldest first: its assistant has waited longest. */
export function useOpenApprovals() {
  const { data, error, refetch } = useQuery(openApprovalsQuery(useClient()));
  return { open: data?.toReversed(), error, refetch };
}

/** The sessions that wait for a person in their own windows, or that one. What ends a wait is not announced as one. */
export function waitsQuery(client: Client, sessionId?: string) {
  return queryOptions({
    queryKey: ["approvals", "waits", sessionId ?? null],
    queryFn: async ({ signal }) =>
      (
        await client.api.approvals.listWaits.query(
          { limit: 100, ...(sessionId !== undefined && { sessionId }) },
          { signal },
        )
      ).data,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? REFETCH_MS : false),
    staleTime: 0,
  });
}

/** Decides about a call, and shows what is open then: the decision counts even if the row is gone by now. */
export async function decide(client: Client, id: string, decision: ToolDecision, note?: string): Promise<void> {
  try {
    await client.api.approvals.decide.mutate({ id, decision, ...(note !== undefined && note !== "" && { note }) });
  } finally {
    await client.queries.invalidateQueries({ queryKey: ["approvals"] });
  }
}

export const STATE_LABELS = {
  open: "Open",
  allowed_once: "Allowed once",
  allowed_here: "Allowed from now on",
  denied: "Denied",
  withdrawn: "Left to the assistant",
  expired: "Nobody answered",
} as const satisfies Record<ToolApproval["state"], string>;
