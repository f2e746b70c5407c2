import {
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  toPublicError,
  UnauthenticatedError,
  UnavailableError,
  type Auth,
  type Clock,
  type UserPrincipal,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import * as z from "zod";
import { sendError, sendMethodNotAllowed } from "../rest/error-response.ts";
import type { JsonBodyReader } from "../rest/json-body.ts";
import { splitUrl } from "../rest/percent-encoding.ts";
import { addressBlockOf } from "./address-block.ts";
import { createAttemptLimiter, type AttemptVerdict } from "./attempt-limiter.ts";
import {
  changePasswordBody,
  parseBody,
  signInBody,
  signUpBody,
  toPossibleCredentials,
  updateUserBody,
} from "./auth-bodies.ts";
import { clientAddressOf, isLoopback } from "./client-address.ts";
import { createPasswordAttempts } from "./password-attempts.ts";
import { createPasswordQueue, PasswordQueueFullError } from "./password-queue.ts";

const SIGN_UP_PER_ADDRESS = { max: 10, windowMs: 60 * 60_000 };
const UNLIMITED: AllowedAttempt = { isAllowed: true, refund: () => undefined };
const libraryError = z.object({ message: z.string() });

export interface AuthRoutesOptions {
  readonly auth: Auth;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly isSignUpOpen: boolean;
  readonly trustsProxy: boolean;
  readonly readBody: JsonBodyReader;
  /** The user whose session cookie a request carries; null without a valid one. */
  readonly findSessionUser: (req: Request) => Promise<UserPrincipal | null>;
  /** The session cookie by which that user is found, as a `Cookie` header; null without one. */
  readonly sessionCookieOf: (req: Request) => string | null;
  /** Whether the database is why the library failed; the library itself does not say. */
  readonly isDatabaseAvailable: () => Promise<boolean>;
  /** Called after each request that may have ended a session. */
  readonly onSessionsChanged: () => void;
  readonly reportError: (error: unknown, req: Request) => void;
}

type AllowedAttempt = Extract<AttemptVerdict, { readonly isAllowed: true }>;

/** One address that is served, and what stands behind it. */
interface AuthRoute {
  readonly method: "GET" | "POST";
  readonly answer: (req: Request, res: Response, body: unknown) => Promise<void>;
}

/**
 * `/api/auth`: a written list of addresses, each with input checks and limits of our own before the library acts. Nothing
 * else that the library offers is reachable. An address is compared as a whole and as it was sent, and the library is
 * given the address from the list and never the client's, so that both always mean the same one.
 *
 * Wrong email and wrong password look and last the same. A success never counts against a limit.
 */
export function createAuthRoutes(options: AuthRoutesOptions): RequestHandler {
  const { auth, baseUrl, isSignUpOpen, trustsProxy, readBody, onSessionsChanged, reportError } = options;
  const tryPassword = createPasswordAttempts(options.clock);
  const trySignUp = createAttemptLimiter(SIGN_UP_PER_ADDRESS, options.clock);
  const inPasswordQueue = createPasswordQueue();

  const routes: ReadonlyMap<string, AuthRoute> = new Map<string, AuthRoute>([
    ["/api/auth/sign-up/email", { method: "POST", answer: signUp }],
    ["/api/auth/sign-in/email", { method: "POST", answer: signIn }],
    ["/api/auth/sign-out", { method: "POST", answer: signOut }],
    ["/api/auth/get-session", { method: "GET", answer: getSession }],
    ["/api/auth/change-password", { method: "POST", answer: changePassword }],
    ["/api/auth/update-user", { method: "POST", answer: updateUser }],
  ]);

  return (req, res) => {
    void handle(req, res).catch((error: unknown) => {
      const publicError = toPublicError(error);
      reportError(error, req);
      if (error instanceof PasswordQueueFullError) res.setHeader("Retry-After", error.retryAfterS);
      sendError(res, publicError);
    });
  };

  async function handle(req: Request, res: Response): Promise<void> {
    const [path] = splitUrl(req.originalUrl);
    const route = routes.get(path);
    if (route === undefined) throw new NotFoundError("There is nothing at this address.");
    if (req.method !== route.method) return sendMethodNotAllowed(res, [route.method]);
    await route.answer(req, res, await readBody(req, res));
  }

  async function signUp(req: Request, res: Response, body: unknown): Promise<void> {
    const account = parseBody(signUpBody, body);
    if (!isSignUpOpen) throw new ForbiddenError("Sign-up is closed on this server.");
    const address = clientAddressOf(req, trustsProxy);
    const attempt = isLoopback(address) ? UNLIMITED : trySignUp(addressBlockOf(address));
    if (refuseIfLimited(res, attempt)) return;
    await send(res, await postPassword(attempt, req, "/api/auth/sign-up/email", account));
  }

  async function signIn(req: Request, res: Response, body: unknown): Promise<void> {
    const credentials = toPossibleCredentials(parseBody(signInBody, body));
    const attempt = tryPassword(clientAddressOf(req, trustsProxy), credentials.email);
    if (refuseIfLimited(res, attempt)) return;
    const response = await postPassword(attempt, req, "/api/auth/sign-in/email", credentials);
    if (response.status !== 401) attempt.refund();
    await send(res, response);
  }

  async function signOut(req: Request, res: Response): Promise<void> {
    const response = await post(req, "/api/auth/sign-out", {});
    // The library calls it a success even where it could not delete the session.
    if ((await options.findSessionUser(req)) !== null) {
      throw new UnavailableError("The session could not be ended. Try again in a moment.");
    }
    await send(res, response);
  }

  async function getSession(req: Request, res: Response): Promise<void> {
    await send(res, await callLibrary(req, "/api/auth/get-session", { method: "GET" }));
  }

  /** Ends every session of the user and begins a new one for the caller. */
  async function changePassword(req: Request, res: Response, body: unknown): Promise<void> {
    const user = await requireSessionUser(req);
    const passwords = parseBody(changePasswordBody, body);
    const attempt = tryPassword(clientAddressOf(req, trustsProxy), user.email);
    if (refuseIfLimited(res, attempt)) return;
    const change = { ...passwords, revokeOtherSessions: true };
    const response = await postPassword(attempt, req, "/api/auth/change-password", change);
    // Everything else that the library refuses was refused above.
    if (response.status === 400) throw InvalidInputError.at("currentPassword", "is not your password");
    attempt.refund();
    await send(res, response);
  }

  async function updateUser(req: Request, res: Response, body: unknown): Promise<void> {
    await requireSessionUser(req);
    await send(res, await post(req, "/api/auth/update-user", parseBody(updateUserBody, body)));
  }

  async function requireSessionUser(req: Request): Promise<UserPrincipal> {
    const user = await options.findSessionUser(req);
    if (user === null) throw new UnauthenticatedError("Sign in first.");
    return user;
  }

  /** As {@link post}, for what hashes a password. An attempt at which the library did not get to look does not count. */
  async function postPassword(
    attempt: AllowedAttempt,
    req: Request,
    path: `/api/auth/${string}`,
    body: object,
  ): Promise<globalThis.Response> {
    try {
      return await inPasswordQueue(() => post(req, path, body));
    } catch (error) {
      attempt.refund();
      throw error;
    }
  }

  async function post(req: Request, path: `/api/auth/${string}`, body: object): Promise<globalThis.Response> {
    try {
      return await callLibrary(req, path, { method: "POST", body: JSON.stringify(body) });
    } finally {
      onSessionsChanged();
    }
  }

  function callLibrary(
    req: Request,
    path: `/api/auth/${string}`,
    init: { readonly method: string; readonly body?: string },
  ): Promise<globalThis.Response> {
    const headers = new Headers({ "content-type": "application/json" });
    const cookie = options.sessionCookieOf(req);
    if (cookie !== null) headers.set("cookie", cookie);
    const userAgent = req.headers["user-agent"];
    if (userAgent !== undefined) headers.set("user-agent", userAgent);
    headers.set("x-forwarded-for", clientAddressOf(req, trustsProxy));
    return auth.handle(new Request(new URL(path, baseUrl), { ...init, headers }));
  }

  async function send(res: Response, response: globalThis.Response): Promise<void> {
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
    const text = await response.text();
    if (response.status >= 500) throw await explainFailure(text);
    if (response.status >= 400) {
      sendError(res, { status: response.status, message: describeLibraryError(text) });
      return;
    }
    res.writeHead(response.status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
    res.end(text);
  }

  async function explainFailure(text: string): Promise<Error> {
    if (await options.isDatabaseAvailable()) return new Error("The authentication library failed.", { cause: text });
    return new UnavailableError("The database is not available. Try again in a moment.");
  }
}

function refuseIfLimited(res: Response, attempt: AttemptVerdict): attempt is Exclude<AttemptVerdict, AllowedAttempt> {
  if (attempt.isAllowed) return false;
  res.setHeader("Retry-After", attempt.retryAfterS);
  sendError(res, { status: 429, message: `Too many attempts. Try again in ${attempt.retryAfterS} seconds.` });
  return true;
}

function describeLibraryError(text: string): string {
  const parsed = libraryError.safeParse(parseJson(text));
  return parsed.success ? parsed.data.message : "The request was refused.";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
