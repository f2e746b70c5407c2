import { type ApiResult, type Connection, call } from "../delivery/api-call.ts";
import { type JsonRecord, stringAt } from "../json/json-value.ts";

/** A call about which a person is asked. */
export interface ApprovalRequest {
  /** Random: a repeat of the request waits for the same decision. */
  readonly id: string;
  readonly digest: string;
  readonly harness: string;
  readonly sessionId?: string;
  readonly project: string;
  readonly folder: string;
  readonly toolName: string;
  readonly call: string;
  readonly effect: string;
  readonly diff?: string;
  readonly timeoutMs: number;
}

export interface ToolDecision {
  readonly id: string;
  readonly digest: string;
  /** Undefined if nothing has been decided. */
  readonly outcome: string | undefined;
  readonly note: string | undefined;
}

/** Asks a person about a call, and waits for the decision as long as the server holds the request. */
export async function requestApproval(
  connection: Connection,
  request: ApprovalRequest,
  deadlineMs: number,
): Promise<ApiResult<ToolDecision>> {
  const body = JSON.stringify(request);
  return call(connection, { method: "POST", path: "/api/hooks/approvals", body, deadlineMs }, toDecision);
}

/** That an assistant waits for a person in its own window. */
export interface WaitToPost {
  readonly harness: string;
  readonly project: string;
  readonly reason: "permission" | "input";
  readonly text: string;
  readonly occurredAt: string;
}

export async function postWait(
  connection: Connection,
  sessionId: string,
  wait: WaitToPost,
  deadlineMs: number,
): Promise<ApiResult<undefined>> {
  const path = `/api/hooks/sessions/${encodeURIComponent(sessionId)}/wait`;
  return call(connection, { method: "POST", path, body: JSON.stringify(wait), deadlineMs }, () => undefined);
}

/** Reports that nobody waits for a decision any longer; returns the one that came before. */
export async function withdrawApproval(
  connection: Connection,
  id: string,
  deadlineMs: number,
): Promise<ApiResult<ToolDecision>> {
  const path = `/api/hooks/approvals/${id}/withdraw`;
  return call(connection, { method: "POST", path, body: "{}", deadlineMs }, toDecision);
}

function toDecision(data: JsonRecord): ToolDecision {
  return {
    id: stringAt(data, "id") ?? "",
    digest: stringAt(data, "digest") ?? "",
    outcome: stringAt(data, "outcome"),
    note: stringAt(data, "note"),
  };
}
