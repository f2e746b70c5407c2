import { type JsonRecord, isRecord, parseRecord, stringAt } from "../json/json-value.ts";
import { type HttpExchange, exchange } from "./http-exchange.ts";
import { urlAt } from "./server-url.ts";

/** The server's address, and the key to it. */
export interface Connection {
  readonly server: string;
  readonly key: string;
}

/** The result of a call; failures distinguish an unavailable server from a rejected request. */
export type ApiResult<T> =
  | { readonly kind: "ok"; readonly value: T; readonly durationMs: number }
  /** The server cannot be reached, or cannot work at the moment. The same request may succeed later. */
  | { readonly kind: "unavailable"; readonly message: string; readonly isTimeout: boolean; readonly wasSent: boolean }
  /** The key is wrong or lacks the scope. */
  | { readonly kind: "unauthorized"; readonly message: string }
  /** The server understood the request, and rejects it. */
  | { readonly kind: "refused"; readonly status: number; readonly message: string };

interface ApiCall {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly deadlineMs: number;
}

/** Sends a request with the connection's key, and reads the response: its `data`, and all of it. */
export async function call<T>(
  { server, key }: Connection,
  request: ApiCall,
  read: (data: JsonRecord, whole: JsonRecord) => T,
): Promise<ApiResult<T>> {
  return send(server, request, { Authorization: `Bearer ${key}` }, read);
}

/** The same with other credentials. */
export async function send<T>(
  server: string,
  { method, path, body, deadlineMs }: ApiCall,
  credentials: Readonly<Record<string, string>>,
  read: (data: JsonRecord, whole: JsonRecord) => T,
): Promise<ApiResult<T>> {
  const url = urlAt(server, path);
  if (url === undefined) return notAnAddress(server);
  const outcome = await exchange({
    method,
    url,
    headers: credentials,
    deadlineMs,
    ...(body !== undefined && { body }),
  });
  return interpret(outcome, read);
}

/** What a call to a server results in whose address is none. */
export function notAnAddress(server: string): ApiResult<never> {
  return { kind: "unavailable", message: `${server} is not a valid address`, isTimeout: false, wasSent: false };
}

/** What an exchange means. */
export function interpret<T>(outcome: HttpExchange, read: (data: JsonRecord, whole: JsonRecord) => T): ApiResult<T> {
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
  // Too many requests, or a server that cannot work at the moment, is no reason to discard a request.
  const isPermanent = status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429;
  return isPermanent
    ? { kind: "refused", status, message }
    : { kind: "unavailable", message, isTimeout: false, wasSent: true };
}
