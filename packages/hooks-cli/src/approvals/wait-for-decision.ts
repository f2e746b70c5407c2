import { sinceStartMs } from "../clock.ts";
import type { ApiResult, Connection } from "../delivery/api-call.ts";
import { type ApprovalRequest, type ToolDecision, requestApproval, withdrawApproval } from "./approval-api.ts";

/** The server holds a request for 20 s, so one that takes longer is lost. */
const EXCHANGE_MS = 25_000;
/** So long a server may be away that has been asked: it may be restarting. */
const LOST_MS = 5_000;
const RETRY_MS = 100;
/** What the end takes: the server is informed that nobody waits any longer. */
const WITHDRAW_MS = 500;

/**
 * Asks the server and waits for a person's decision, for so long in all. Undefined if there is none: whatever else the server
 * says, or if it says nothing, counts as no decision.
 */
export async function waitForDecision(
  connection: Connection,
  request: Omit<ApprovalRequest, "timeoutMs">,
  waitMs: number,
): Promise<ToolDecision | undefined> {
  const end = sinceStartMs() + waitMs - WITHDRAW_MS;
  const leftMs = (): number => end - sinceStartMs();
  const body = { ...request, timeoutMs: Math.round(waitMs) };
  let wasAsked = false;
  let lostAt: number | undefined;
  while (leftMs() > 0) {
    const result = await requestApproval(connection, body, Math.min(leftMs(), EXCHANGE_MS));
    const decision = decisionOf(result, request);
    if (decision !== undefined) return decision;
    if (result.kind !== "ok" && result.kind !== "unavailable") return undefined;
    if (result.kind === "ok") {
      if (!isAbout(result.value, request)) break;
      wasAsked = true;
      lostAt = undefined;
    } else {
      wasAsked ||= result.wasSent;
      lostAt ??= sinceStartMs();
      if (!wasAsked) return undefined;
      if (sinceStartMs() - lostAt > LOST_MS) break;
    }
    await new Promise((resolve) => setTimeout(resolve, Math.min(RETRY_MS, Math.max(0, leftMs()))));
  }
  return decisionOf(await withdrawApproval(connection, request.id, WITHDRAW_MS), request);
}

/** A decision about this very call. */
function decisionOf(
  result: ApiResult<ToolDecision>,
  request: Pick<ApprovalRequest, "id" | "digest">,
): ToolDecision | undefined {
  if (result.kind !== "ok" || !isAbout(result.value, request)) return undefined;
  return ["allowed_once", "allowed_here", "denied"].includes(result.value.outcome ?? "") ? result.value : undefined;
}

function isAbout(decision: ToolDecision, { id, digest }: Pick<ApprovalRequest, "id" | "digest">): boolean {
  return decision.id === id && decision.digest === digest;
}
