import { type ApiResult, type Connection, call } from "../delivery/api-call.ts";

/** Whether a person has something for the session. If not, the server holds the request for up to `waitMs`. */
export async function isSteered(
  connection: Connection,
  sessionId: string,
  { waitMs, graceMs }: { readonly waitMs: number; readonly graceMs: number },
): Promise<ApiResult<boolean>> {
  return call(
    connection,
    { method: "GET", path: `${steeringPath(sessionId)}?waitMs=${waitMs}`, deadlineMs: waitMs + graceMs },
    (data) => data["isSteered"] === true,
  );
}

export function steeringPath(sessionId: string): string {
  return `/api/hooks/sessions/${encodeURIComponent(sessionId)}/steering`;
}
