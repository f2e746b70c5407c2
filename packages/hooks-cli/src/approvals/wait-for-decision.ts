import type { ApiResult, Connection } from "../delivery/api-call.ts";
import { type ApprovalRequest, type ToolDecision, requestApproval, withdrawApproval } from "./approval-api.ts";
import { repeatHeld } from "./held-request.ts";

/** What the end takes: the server is informed that nobody waits any longer. */
const WITHDRAW_MS = 500;

/**
 * Asks the server and waits for a person's decision, for so long in all. Undefined if there is none, "refused" if the server does not
 * want the request: whatever else it says, or if it says nothing, counts as no decision.
 */
export async function waitForDecision(
  connection: Connection,
  request: Omit<ApprovalRequest, "timeoutMs">,
  waitMs: number,
): Promise<ToolDecision | "refused" | undefined> {
  const body = { ...request, timeoutMs: Math.round(waitMs) };
  const held = await repeatHeld(
    (deadlineMs) => requestApproval(connection, body, deadlineMs),
    (decision) => !isAbout(decision, request) || isDecided(decision),
    waitMs - WITHDRAW_MS,
  );
  if (held.kind === "refused") return held.kind;
  if (held.kind === "unreachable") return undefined;
  const decision = held.kind === "value" ? decisionOf(held.value, request) : undefined;
  return decision ?? withdrawn(await withdrawApproval(connection, request.id, WITHDRAW_MS), request);
}

function withdrawn(
  result: ApiResult<ToolDecision>,
  request: Pick<ApprovalRequest, "id" | "digest">,
): ToolDecision | undefined {
  return result.kind === "ok" ? decisionOf(result.value, request) : undefined;
}

/** A decision about this very call. */
function decisionOf(decision: ToolDecision, request: Pick<ApprovalRequest, "id" | "digest">): ToolDecision | undefined {
  return isAbout(decision, request) && isDecided(decision) ? decision : undefined;
}

function isDecided({ outcome }: ToolDecision): boolean {
  return ["allowed_once", "allowed_here", "denied"].includes(outcome ?? "");
}

function isAbout(decision: ToolDecision, { id, digest }: Pick<ApprovalRequest, "id" | "digest">): boolean {
  return decision.id === id && decision.digest === digest;
}
