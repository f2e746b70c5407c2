import { type ApiResult, type Connection, call } from "../delivery/api-call.ts";
import { type JsonRecord, arrayAt, isRecord, numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { steeringPath } from "./is-steered.ts";
import type { SteeringMoment } from "./steering-moment.ts";

/** A hook that asks what a person has for its session. */
export interface SteeringRequest extends SteeringMoment {
  readonly sessionId: string;
  /** Random: a repeat of the request gets the same. */
  readonly claim: string;
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
  return call(connection, { method: "POST", path: steeringPath(sessionId), body, deadlineMs }, read);
}

/** Reports that these have been delivered. */
export async function confirmSteering(
  connection: Connection,
  sessionId: string,
  ids: readonly string[],
  deadlineMs: number,
): Promise<ApiResult<undefined>> {
  const path = `${steeringPath(sessionId)}/delivered`;
  return call(connection, { method: "POST", path, body: JSON.stringify({ ids }), deadlineMs }, () => undefined);
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
