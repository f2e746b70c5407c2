import type { RecordHookEvent } from "@workspace/core";
import { type Citation, readCitation } from "../citations/citation.ts";
import { type JsonRecord, arrayAt, isRecord, numberAt, recordAt, stringAt } from "../json/json-value.ts";
import { type Memory, readMemory } from "../memory/memory.ts";
import { type ApiResult, type Connection, call, interpret, notAnAddress, send } from "./api-call.ts";
import { exchange } from "./http-exchange.ts";
import { urlAt } from "./server-url.ts";

/**
 * Every request that this program makes to the server: the paths, the bodies, and the parts of the responses that are used.
 * The rest of the program knows no paths.
 */

/** An event in the form that the server accepts. */
export type EventToPost = RecordHookEvent & { readonly id: string; readonly occurredAt: string };

export interface PolicyResponse {
  readonly document: JsonRecord;
  readonly version: number;
}

/** How much longer a batch is than its events with a comma after each. */
export const BATCH_FRAME_BYTES = '{"events":[]}'.length;

/** Records events given as JSON; several at once are recorded all or none. */
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

export interface MemoryContext {
  /** The memories as text for the assistant; empty if there are none. */
  readonly formatted: string;
  readonly memories: readonly Memory[];
  /** Whether a person has something for the session that was asked for. */
  readonly isSteered: boolean;
}

export interface ContextQuestion {
  readonly project: { readonly identity: string; readonly directory: string };
  /** A prompt; without one, what a new session should know. */
  readonly query?: string;
  readonly limit: number;
  readonly maxTokens?: number;
  /** The ids of memories that are left out; the server takes the last {@link MAX_EXCLUDED}. */
  readonly exclude?: readonly string[];
  /** The session of which to ask whether a person has something for it. */
  readonly sessionId?: string | undefined;
}

/** The server accepts no more ids to leave out. */
const MAX_EXCLUDED = 100;

/** What the server accepts as the name of a session. */
export const MAX_SESSION_ID_LENGTH = 255;

/** What a session should know, or what has something to do with a prompt. */
export async function getContext(
  connection: Connection,
  { project, query, limit, maxTokens, exclude = [], sessionId }: ContextQuestion,
  deadlineMs: number,
): Promise<ApiResult<MemoryContext>> {
  const parameters = ofProject(project, limit);
  if (query !== undefined) parameters.set("query", query);
  if (maxTokens !== undefined) parameters.set("maxTokens", String(maxTokens));
  for (const id of exclude.slice(-MAX_EXCLUDED)) parameters.append("exclude", id);
  if (sessionId !== undefined) parameters.set("sessionId", sessionId);
  return call(
    connection,
    { method: "GET", path: `/api/memory/context?${parameters.toString()}`, deadlineMs },
    (data) => ({
      formatted: stringAt(data, "formatted") ?? "",
      memories: (arrayAt(data, "memories") ?? []).flatMap(readMemory),
      isSteered: data["isSteered"] === true,
    }),
  );
}

function ofProject({ identity, directory }: ContextQuestion["project"], limit: number): URLSearchParams {
  const parameters = new URLSearchParams({ project: identity, limit: String(limit) });
  // Memories stored under the folder's name belong to the project as well.
  if (directory !== identity) parameters.set("folder", directory);
  return parameters;
}

/** What sessions in a project may be given, best first. */
export async function getProjectMemories(
  connection: Connection,
  project: ContextQuestion["project"],
  limit: number,
  deadlineMs: number,
): Promise<ApiResult<readonly Memory[]>> {
  const path = `/api/memory/project?${ofProject(project, limit).toString()}`;
  return call(connection, { method: "GET", path, deadlineMs }, (_data, whole) =>
    (arrayAt(whole, "data") ?? []).flatMap(readMemory),
  );
}

/** What the memories of a project rest on in its files. */
export async function getCitations(
  connection: Connection,
  project: ContextQuestion["project"],
  limit: number,
  deadlineMs: number,
): Promise<ApiResult<readonly Citation[]>> {
  const path = `/api/memory/citations?${ofProject(project, limit).toString()}`;
  return call(connection, { method: "GET", path, deadlineMs }, (_data, whole) =>
    (arrayAt(whole, "data") ?? []).flatMap(readCitation),
  );
}

/** Reports whether what memories rest on was found, and where. */
export async function postCitationChecks(
  connection: Connection,
  checks: readonly Record<string, unknown>[],
  deadlineMs: number,
): Promise<ApiResult<undefined>> {
  const body = JSON.stringify({ checks });
  return call(connection, { method: "POST", path: "/api/memory/citations/checks", body, deadlineMs }, () => undefined);
}

/** Reports what hooks gave without the server, each as a line of JSON. A repeated report adds nothing. */
export async function postInjections(
  connection: Connection,
  lines: readonly string[],
  deadlineMs: number,
): Promise<ApiResult<undefined>> {
  const body = `{"injections":[${lines.join(",")}]}`;
  return call(connection, { method: "POST", path: "/api/memory/injections", body, deadlineMs }, () => undefined);
}

export interface TranscriptToPost {
  readonly transcript: string;
  /** Whether it is only the beginning, since the whole is too long for a request. */
  readonly isCut?: true;
  readonly sessionId: string;
  readonly projectPath?: string;
}

/**
 * Hands a transcript over to be kept and, with `extract`, to have memories extracted from it later: nobody waits for the model.
 * Sending the same one again adds nothing.
 */
export async function postTranscript(
  connection: Connection,
  { sessionId, ...transcript }: TranscriptToPost & { readonly extract?: true },
  deadlineMs: number,
): Promise<ApiResult<undefined>> {
  const path = `/api/hooks/sessions/${encodeURIComponent(sessionId)}/transcript`;
  return call(connection, { method: "POST", path, body: JSON.stringify(transcript), deadlineMs }, () => undefined);
}

export interface WhyQuestion {
  /** From the root of the project. */
  readonly path: string;
  readonly projectPath: string;
  /** The text of the lines. */
  readonly lines: string;
  readonly limit?: number;
}

/** The sessions, prompts and memories that shaped lines of a file. */
export async function askWhy(
  connection: Connection,
  question: WhyQuestion,
  deadlineMs: number,
): Promise<ApiResult<JsonRecord>> {
  const body = JSON.stringify(question);
  return call(connection, { method: "POST", path: "/api/hooks/why", body, deadlineMs }, (data) => data);
}

export interface SecretUse {
  /** The names of the secrets. */
  readonly keys: readonly string[];
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Where it will be run, without links. */
  readonly folder: string;
}

/** The values that a command may use, by name. The server records the use. */
export async function getSecrets(
  connection: Connection,
  use: SecretUse,
  deadlineMs: number,
): Promise<ApiResult<ReadonlyMap<string, string>>> {
  const request = { method: "POST", path: "/api/hooks/secrets", body: JSON.stringify(use), deadlineMs } as const;
  return call(connection, request, (_data, whole) => {
    const secrets = (arrayAt(whole, "data") ?? []).filter(isRecord);
    return new Map(secrets.map((secret) => [stringAt(secret, "key") ?? "", stringAt(secret, "value") ?? ""]));
  });
}

/** The policy set in the dashboard; version 0 if there is none. */
export async function getPolicy(connection: Connection, deadlineMs: number): Promise<ApiResult<PolicyResponse>> {
  return call(connection, { method: "GET", path: "/api/hooks/policy", deadlineMs }, (data) => ({
    document: recordAt(data, "document") ?? {},
    version: numberAt(data, "version") ?? 0,
  }));
}

export interface ExtractionStatus {
  readonly isModelConfigured: boolean;
  /** The parts of transcripts that are still to be read. */
  readonly pending: number;
  readonly lastError: string | undefined;
}

/** Whether memories are extracted from what is handed over. */
export async function getExtractionStatus(
  connection: Connection,
  deadlineMs: number,
): Promise<ApiResult<ExtractionStatus>> {
  return call(connection, { method: "GET", path: "/api/hooks/extraction", deadlineMs }, (data) => ({
    isModelConfigured: data["isModelConfigured"] === true,
    pending: numberAt(data, "pending") ?? 0,
    lastError: stringAt(data, "lastError"),
  }));
}

/** How much memory sessions are given, as set in the dashboard. */
export async function getMemorySettings(connection: Connection, deadlineMs: number): Promise<ApiResult<JsonRecord>> {
  return call(connection, { method: "GET", path: "/api/hooks/memory-settings", deadlineMs }, (data) => data);
}

/** Where a person is asked about calls, and what need not be asked about, as set in the dashboard. */
export async function getApprovalSettings(connection: Connection, deadlineMs: number): Promise<ApiResult<JsonRecord>> {
  const path = "/api/hooks/approval-settings/hooks";
  return call(connection, { method: "GET", path, deadlineMs }, (data) => data);
}

export interface UsageResponse {
  readonly added: number;
  readonly updated: number;
}

/** Has the server read the usage in lines of a transcript, in the assistant's own format. A repeat adds nothing. */
export async function postUsageLines(
  connection: Connection,
  usage: { readonly sessionId: string; readonly projectPath: string | undefined; readonly transcript: string },
  deadlineMs: number,
): Promise<ApiResult<UsageResponse>> {
  const path = "/api/hooks/assistant-usage";
  return call(connection, { method: "POST", path, body: JSON.stringify(usage), deadlineMs }, (data) => ({
    added: numberAt(data, "added") ?? 0,
    updated: numberAt(data, "updated") ?? 0,
  }));
}

/** Whether the server is reachable and accepts the key. */
export async function checkKey(connection: Connection, deadlineMs: number): Promise<ApiResult<undefined>> {
  return call(connection, { method: "GET", path: "/api/hooks/events?limit=1", deadlineMs }, () => undefined);
}

/** What authorises the creation of a key: the server's API token, or a user's credentials. */
export type KeyCredentials = { readonly apiToken: string } | { readonly email: string; readonly password: string };

const KEY_DEADLINE_MS = 15_000;

/** Creates a key with the scope for hooks, and returns it. */
export async function createKey(server: string, maker: KeyCredentials, name: string): Promise<ApiResult<string>> {
  const credentials = await credentialsOf(server, maker);
  if (credentials.kind !== "ok") return credentials;
  const body = JSON.stringify({ name, scopes: ["hooks"] });
  const request = { method: "POST", path: "/api/api-keys", body, deadlineMs: KEY_DEADLINE_MS } as const;
  const made = await send(server, request, credentials.value, (data) => stringAt(data, "key"));
  if (made.kind !== "ok") return made;
  if (made.value === undefined)
    return { kind: "refused", status: 201, message: "the server created a key but did not return it" };
  return { ...made, value: made.value };
}

async function credentialsOf(
  server: string,
  maker: KeyCredentials,
): Promise<ApiResult<Readonly<Record<string, string>>>> {
  if ("apiToken" in maker) return { kind: "ok", value: { "X-API-Token": maker.apiToken }, durationMs: 0 };
  const url = urlAt(server, "/api/auth/sign-in/email");
  if (url === undefined) return notAnAddress(server);
  const body = JSON.stringify({ email: maker.email, password: maker.password });
  const outcome = await exchange({ method: "POST", url, headers: {}, body, deadlineMs: KEY_DEADLINE_MS });
  const cookie = outcome.kind === "answered" ? outcome.response.headers.get("set-cookie") : undefined;
  return interpret(outcome, () => ({ Cookie: (cookie ?? "").split(";")[0] ?? "" }));
}

/** Revokes the key of the connection. */
export async function revokeKey(connection: Connection): Promise<ApiResult<undefined>> {
  const request = { method: "POST", path: "/api/hooks/key/revoke", body: "{}", deadlineMs: KEY_DEADLINE_MS } as const;
  return call(connection, request, () => undefined);
}
