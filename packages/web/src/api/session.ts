import { queryOptions } from "@tanstack/react-query";
import { apiFetch } from "./fetch.ts";
import { RequestError, requestErrorOf, toRequestError } from "./request-error.ts";

export interface SessionUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => userIn(await authRequest("GET", "get-session", { signal })),
  staleTime: Infinity,
});

export async function signIn(credentials: { email: string; password: string }): Promise<SessionUser | null> {
  return userIn(await authRequest("POST", "sign-in/email", { body: credentials }));
}

export async function signUp(account: { name: string; email: string; password: string }): Promise<SessionUser | null> {
  return userIn(await authRequest("POST", "sign-up/email", { body: account }));
}

export async function signOut(): Promise<void> {
  await authRequest("POST", "sign-out", { body: {} });
}

async function authRequest(
  method: "GET" | "POST",
  path: string,
  { body, signal }: { body?: object; signal?: AbortSignal } = {},
): Promise<unknown> {
  try {
    const response = await apiFetch(`/api/auth/${path}`, {
      method,
      signal: signal ?? null,
      ...(body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer;
    if (response.status === 401)
      throw new RequestError("refused", "The email or the password is wrong.", { status: 401 });
    throw requestErrorOf(response.status, messageIn(answer), retryAfterOf(response));
  } catch (error) {
    throw toRequestError(error);
  }
}

function userIn(answer: unknown): SessionUser | null {
  if (typeof answer !== "object" || answer === null || !("user" in answer)) return null;
  const { user } = answer;
  if (typeof user !== "object" || user === null || !("id" in user) || !("name" in user) || !("email" in user))
    return null;
  return { id: String(user.id), name: String(user.name), email: String(user.email) };
}

function messageIn(answer: unknown): string {
  const message = typeof answer === "object" && answer !== null && "message" in answer ? answer.message : undefined;
  return typeof message === "string" ? message : "Something went wrong on the server.";
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
