import { type ApiResult, type Connection, call } from "../delivery/api-call.ts";
import { type JsonRecord, arrayAt, isRecord, numberAt, recordAt, stringAt } from "../json/json-value.ts";

/** A hook that asks what a person has for its session. */
export interface SteeringRequest {
  readonly sessionId: string;
  /** Random: a repeat of the request gets the same. */
  readonly claim: string;
  readonly moment: "prompt" | "call" | "result" | "end";
  readonly takesMessages: boolean;
  readonly fromSubagent: boolean;
}

export interface PersonMessage {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  readonly createdAt: string;
}

export interface Steering {
  /** The name of who has paused the session; undefined if it is not paused. */
  readonly pausedBy: string | undefined;
  readonly pausedForMs: number;
  readonly stop: { readonly id: string; readonly by: string } | undefined;
  readonly messages: readonly PersonMessage[];
}

/** Takes what the hook is to do. While the session is paused, the server holds the request of a call for up to `waitMs`. */
export async function takeSteering(
  connection: Connection,
  { sessionId, ...request }: SteeringRequest,
  waitMs: number,
  deadlineMs: number,
): Promise<ApiResult<Steering>> {
  const body = JSON.stringify({ ...request, waitMs });
  // A response about another session counts as none.
  const read = (data: JsonRecord): Steering => (stringAt(data, "sessionId") === sessionId ? toSteering(data) : NOTHING);
  return call(connection, { method: "POST", path: pathOf(sessionId), body, deadlineMs }, read);
}

/** Reports that these have been delivered. */
export async function confirmSteering(
  connection: Connection,
  sessionId: string,
  ids: readonly string[],
  deadlineMs: number,
): Promise<ApiResult<undefined>> {
  const path = `${pathOf(sessionId)}/delivered`;
  return call(connection, { method: "POST", path, body: JSON.stringify({ ids }), deadlineMs }, () => undefined);
}

/** Whether a person has something for the session; held by the server for a while if not. */
export async function watchSteering(
  connection: Connection,
  sessionId: string,
  waitMs: number,
): Promise<ApiResult<boolean>> {
  return call(
    connection,
    { method: "GET", path: `${pathOf(sessionId)}?waitMs=${waitMs}`, deadlineMs: waitMs + GRACE_MS },
    ({ isSteered }) => isSteered === true,
  );
}

/** A request that takes so much longer is lost. */
const GRACE_MS = 5_000;

function pathOf(sessionId: string): string {
  return `/api/hooks/sessions/${encodeURIComponent(sessionId)}/steering`;
}

const NOTHING: Steering = { pausedBy: undefined, pausedForMs: 0, stop: undefined, messages: [] };

function toSteering(data: JsonRecord): Steering {
  const stop = recordAt(data, "stop");
  const id = stop && stringAt(stop, "id");
  return {
    pausedBy: stringAt(data, "pausedBy"),
    pausedForMs: numberAt(data, "pausedForMs") ?? 0,
    stop: stop === undefined || id === undefined ? undefined : { id, by: stringAt(stop, "by") ?? "" },
    messages: (arrayAt(data, "messages") ?? []).filter(isRecord).flatMap((message) => {
      const messageId = stringAt(message, "id");
      const text = stringAt(message, "text");
      if (messageId === undefined || text === undefined) return [];
      return [
        { id: messageId, text, by: stringAt(message, "by") ?? "", createdAt: stringAt(message, "createdAt") ?? "" },
      ];
    }),
  };
}
