import type { Inputs, Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import { usePagedRows } from "../../api/use-paged-rows.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { toasts } from "../../components/toast.ts";

export type Instruction = Outputs["steering"]["list"]["data"][number];
export type RunningSession = Outputs["steering"]["listRunning"]["data"][number];
type NewInstruction = Omit<Inputs["steering"]["give"], "sessionId">;

export const MAX_MESSAGE_LENGTH = 4_000;
/** Sessions do something without anyone announcing it here. */
const REFETCH_MS = 10_000;

/** What people had for a session, newest first. */
export function useInstructions(sessionId: string) {
  const client = useClient();
  return usePagedRows({
    queryKey: ["approvals", "instructions", sessionId],
    readPage: (cursor, signal) =>
      client.api.steering.list.query({ sessionId, ...(cursor !== undefined && { cursor }) }, { signal }),
    staleTime: 0,
  });
}

/** The sessions that did something within the last hour, newest first. */
export function useRunningSessions() {
  const client = useClient();
  return usePagedRows({
    queryKey: ["approvals", "sessions"],
    readPage: (cursor, signal) =>
      client.api.steering.listRunning.query({ ...(cursor !== undefined && { cursor }) }, { signal }),
    staleTime: 0,
    refetchInterval: () => REFETCH_MS,
  });
}

/** Tells a session something, pauses it or stops it. */
export async function give(client: Client, sessionId: string, instruction: NewInstruction): Promise<void> {
  try {
    await client.api.steering.give.mutate({ sessionId, ...instruction });
  } finally {
    await client.queries.invalidateQueries({ queryKey: ["approvals"] });
  }
}

/** Withdraws what is pending, or resumes a session by the id of its pause. */
export async function withdraw(client: Client, id: string): Promise<void> {
  try {
    await client.api.steering.withdraw.mutate({ id });
  } finally {
    await client.queries.invalidateQueries({ queryKey: ["approvals"] });
  }
}

/** Shows why something did not happen: "Not paused. This session has ended." */
export function reportFailure(client: Client, failure: string) {
  return (error: unknown): void => {
    toasts(client).show({ message: `${failure} ${toRequestError(error).message}`, tone: "danger" });
  };
}

/** Whether it is a pause that a call has met, so that the session does nothing. */
export function holdsCall({ kind, state }: Pick<Instruction, "kind" | "state">): boolean {
  return kind === "pause" && state === "delivered";
}

/** Whether it is a stop that has ended the run for the prompt of a time. */
export function endedRun(
  { kind, state, deliveredAt }: Pick<Instruction, "kind" | "state" | "deliveredAt">,
  promptedAt: string | null,
): boolean {
  if (kind !== "stop" || state !== "delivered" || deliveredAt === null || promptedAt === null) return false;
  return Date.parse(deliveredAt) > Date.parse(promptedAt);
}

/** Whether hooks still have to do something with it. */
export function isStanding(instruction: Instruction): boolean {
  const { state } = instruction;
  return state === "pending" || state === "delivering" || holdsCall(instruction);
}

/** What became of it, in words. */
export function describeState({ kind, state, endedBy, mayBeDelivered }: Instruction): string {
  if (kind === "pause") {
    if (state === "withdrawn") return "Resumed";
    return state === "delivered" ? "A call waits" : "The next call will wait";
  }
  if (state === "pending") return kind === "stop" ? "At its next call" : "Pending";
  if (state === "delivering") return kind === "stop" ? "Calls are refused until the run is over" : "Being delivered";
  if (state === "withdrawn")
    return kind === "stop" && endedBy === null ? "The run was over" : withdrawn(mayBeDelivered);
  return kind === "stop" ? "Stopped" : "Delivered";
}

function withdrawn(mayBeDelivered: boolean): string {
  return mayBeDelivered ? "Withdrawn, but a hook took it before: the assistant may have it" : "Withdrawn";
}
