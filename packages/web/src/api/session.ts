import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../client/client.ts";
import { SESSION_KEY } from "./page-user.ts";
import { RequestError, requestErrorOf, toRequestError } from "./request-error.ts";

export interface SessionUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Who is signed in; null if nobody is. */
export function sessionQuery(client: Client) {
  return queryOptions({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => readSession(client, signal),
    staleTime: Infinity,
  });
}

/** Asks the server whose session the browser has; null for none. */
export async function readSession(client: Client, signal?: AbortSignal): Promise<SessionUser | null> {
  return userIn(await authRequest(client, "GET", "get-session", signal === undefined ? {} : { signal }));
}

/** Calls a route of sign-in. Rejects with a {@link RequestError}. */
export async function authRequest(
  client: Client,
  method: "GET" | "POST",
  path: string,
  { body, signal }: { body?: object; signal?: AbortSignal } = {},
): Promise<unknown> {
  try {
    const response = await client.fetch(`/api/auth/${path}`, {
      method,
      signal: signal ?? null,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const result: unknown = await response.json().catch(() => null);
    if (response.ok) return result;
    if (response.status === 401) {
      const message = path === "sign-in/email" ? "The email or password is incorrect." : messageIn(result);
      throw new RequestError("refused", message, { status: 401 });
    }
    throw requestErrorOf(response.status, messageIn(result), retryAfterOf(response));
  } catch (error) {
    throw toRequestError(error);
  }
}

export function userIn(body: unknown): SessionUser | null {
  if (typeof body !== "object" || body === null || !("user" in body)) return null;
  const { user } = body;
  if (typeof user !== "object" || user === null || !("id" in user) || !("name" in user) || !("email" in user))
    return null;
  return { id: String(user.id), name: String(user.name), email: String(user.email) };
}

function messageIn(body: unknown): string {
  const message = typeof body === "object" && body !== null && "message" in body ? body.message : undefined;
  return typeof message === "string" ? message : "Something went wrong on the server.";
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
