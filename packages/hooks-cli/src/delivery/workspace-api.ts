import type { RecordHookEvent } from "@workspace/core";
import { type JsonRecord, isRecord, numberAt, parseRecord, recordAt, stringAt } from "../json/json-value.ts";
import { type HttpExchange, exchange } from "./http-exchange.ts";

/**
 * Everything that this program asks of the server: the paths, what is sent, and what of the answers is used. The rest of
 * the program knows no path.
 */

/** Where the server is, and the key that opens it. */
export interface Connection {
  readonly server: string;
  readonly key: string;
}

/** An event as the server takes it. */
export type EventToPost = RecordHookEvent & { readonly id: string; readonly occurredAt: string };

/** A failure in words, and whether it is the server that is away or this request that it does not want. */
export type ApiResult<T> =
  | { readonly kind: "ok"; readonly value: T; readonly durationMs: number }
  /** The server cannot be reached, or cannot work now. The same request may succeed later. */
  | { readonly kind: "unavailable"; readonly message: string; readonly isTimeout: boolean; readonly wasSent: boolean }
  /** The key is wrong or lacks the scope. */
  | { readonly kind: "unauthorized"; readonly message: string }
  /** The server understood, and does not take this. */
  | { readonly kind: "refused"; readonly status: number; readonly message: string };

export interface PolicyAnswer {
  readonly document: JsonRecord;
  readonly version: number;
}

export interface MessageUsageToPost {
  readonly messageId: string;
  readonly requestId?: string;
  readonly model?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly occurredAt?: string;
}

/** What a batch is longer than its events with a comma after each. */
export const BATCH_FRAME_BYTES = '{"events":[]}'.length;

/** Records events by their JSON texts; several at once are recorded all or none. */
export async function postEvents(
  connection: Connection,
  bodies: readonly string[],
  deadlineMs: number,
): Promise<ApiResult<undefined>> {
  const [first] = bodies;
  const isOne = bodies.length === 1 && first !== undefined;
  const path = isOne ? "/api/hooks/events" : "/api/hooks/events/batch";
  return call(
    connection,
    { method: "POST", path, body: isOne ? first : `{"events":[${bodies.join(",")}]}`, deadlineMs },
    () => undefined,
  );
}

/** What a new session should know: the text for the assistant, empty where there is nothing. */
export async function getContext(
  connection: Connection,
  project: { readonly identity: string; readonly directory: string },
  deadlineMs: number,
): Promise<ApiResult<string>> {
  const query = new URLSearchParams({ project: project.identity, limit: "10" });
  // Memories that were stored under the folder's name belong to the project as well.
  if (project.directory !== project.identity) query.set("folder", project.directory);
  return call(
    connection,
    { method: "GET", path: `/api/memory/context?${query.toString()}`, deadlineMs },
    (data) => stringAt(data, "formatted") ?? "",
  );
}

export interface TranscriptToPost {
  readonly transcript: string;
  readonly sessionId: string;
  readonly projectPath: string;
}

/** Has memories taken out of a transcript. Sending the same one again adds nothing and costs nothing. */
export async function postTranscript(
  connection: Connection,
  transcript: TranscriptToPost,
  deadlineMs: number,
): Promise<ApiResult<string>> {
  return call(
    connection,
    { method: "POST", path: "/api/memory/extract", body: JSON.stringify(transcript), deadlineMs },
    (_data, whole) => stringAt(whole, "message") ?? "",
  );
}

/** The policy that was set in the dashboard; version 0 where there is none. */
export async function getPolicy(connection: Connection, deadlineMs: number): Promise<ApiResult<PolicyAnswer>> {
  return call(connection, { method: "GET", path: "/api/hooks/policy", deadlineMs }, (data) => ({
    document: recordAt(data, "document") ?? {},
    version: numberAt(data, "version") ?? 0,
  }));
}

export interface UsageToPost {
  readonly sessionId: string;
  readonly projectPath: string | undefined;
  readonly messages: readonly MessageUsageToPost[];
}

export interface UsageAnswer {
  readonly added: number;
  readonly updated: number;
}

/** The most messages that one import may hold. */
export const MAX_USAGE_MESSAGES = 1_000;

export async function postUsage(
  connection: Connection,
  usage: UsageToPost,
  deadlineMs: number,
): Promise<ApiResult<UsageAnswer>> {
  return call(
    connection,
    { method: "POST", path: "/api/hooks/assistant-usage", body: JSON.stringify(usage), deadlineMs },
    (data) => ({
      added: numberAt(data, "added") ?? 0,
      updated: numberAt(data, "updated") ?? 0,
    }),
  );
}

/** Whether the server is there and takes the key. */
export async function checkKey(connection: Connection, deadlineMs: number): Promise<ApiResult<undefined>> {
  return call(connection, { method: "GET", path: "/api/hooks/events?limit=1", deadlineMs }, () => undefined);
}

/** What may make a key for us: the server's API token, or someone who signs in. */
export type KeyMaker = { readonly apiToken: string } | { readonly email: string; readonly password: string };

const KEY_DEADLINE_MS = 15_000;

/** Makes a key with the scope for hooks, and answers it. */
export async function createKey(server: string, maker: KeyMaker, name: string): Promise<ApiResult<string>> {
  const credentials = await credentialsOf(server, maker);
  if (credentials.kind !== "ok") return credentials;
  const body = JSON.stringify({ name, scopes: ["hooks"] });
  const request = { method: "POST", path: "/api/api-keys", body, deadlineMs: KEY_DEADLINE_MS } as const;
  const made = await send(server, request, credentials.value, (data) => stringAt(data, "key"));
  if (made.kind !== "ok") return made;
  if (made.value === undefined)
    return { kind: "refused", status: 201, message: "the server made a key and did not show it" };
  return { ...made, value: made.value };
}

async function credentialsOf(server: string, maker: KeyMaker): Promise<ApiResult<Readonly<Record<string, string>>>> {
  if ("apiToken" in maker) return { kind: "ok", value: { "X-API-Token": maker.apiToken }, durationMs: 0 };
  const url = new URL("/api/auth/sign-in/email", server);
  const body = JSON.stringify({ email: maker.email, password: maker.password });
  const outcome = await exchange({ method: "POST", url, headers: {}, body, deadlineMs: KEY_DEADLINE_MS });
  const cookie = outcome.kind === "answered" ? outcome.response.headers.get("set-cookie") : undefined;
  return interpret(outcome, () => ({ Cookie: (cookie ?? "").split(";")[0] ?? "" }));
}

interface ApiCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly deadlineMs: number;
}

async function call<T>(
  { server, key }: Connection,
  request: ApiCall,
  read: (data: JsonRecord, whole: JsonRecord) => T,
): Promise<ApiResult<T>> {
  return send(server, request, { Authorization: `Bearer ${key}` }, read);
}

async function send<T>(
  server: string,
  { method, path, body, deadlineMs }: ApiCall,
  credentials: Readonly<Record<string, string>>,
  read: (data: JsonRecord, whole: JsonRecord) => T,
): Promise<ApiResult<T>> {
  const url = URL.canParse(path, server) ? new URL(path, server) : undefined;
  if (url === undefined)
    return { kind: "unavailable", message: `${server} is no address`, isTimeout: false, wasSent: false };
  const outcome = await exchange({
    method,
    url,
    headers: credentials,
    deadlineMs,
    ...(body !== undefined && { body }),
  });
  return interpret(outcome, read);
}

function interpret<T>(outcome: HttpExchange, read: (data: JsonRecord, whole: JsonRecord) => T): ApiResult<T> {
  if (outcome.kind === "failed") {
    return {
      kind: "unavailable",
      message: outcome.message,
      isTimeout: outcome.failure === "timeout",
      wasSent: outcome.wasSent,
    };
  }
  const { status, body } = outcome.response;
  const whole = parseRecord(body);
  if (status >= 200 && status < 300 && whole !== undefined) {
    const { data } = whole;
    return { kind: "ok", value: read(isRecord(data) ? data : {}, whole), durationMs: outcome.durationMs };
  }
  const message = `${status}${whole === undefined ? "" : ` ${stringAt(whole, "message") ?? ""}`}`.trim();
  if (status === 401 || status === 403) return { kind: "unauthorized", message };
  // Too many requests and a server that cannot work now are no reason to give a request up.
  const isLasting = status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
  return isLasting
    ? { kind: "refused", status, message }
    : { kind: "unavailable", message, isTimeout: false, wasSent: true };
}
