import { DatabaseUnavailableError, type Auth, type AuthCookies } from "@workspace/core";
import type { Request, Response } from "express";
import * as z from "zod";
import { sendError } from "../rest/error-response.ts";
import type { AllowedAttempt } from "./attempt-limiter.ts";
import { clientAddressOf } from "./client-address.ts";
import { createPasswordQueue } from "./password-queue.ts";

/** A path that the library serves. */
export type AuthPath = `/api/auth/${string}`;

export interface AuthLibraryOptions {
  readonly auth: Auth;
  readonly baseUrl: string;
  readonly trustsProxy: boolean;
  /** One of the cookies of sign-in of a request, as a `Cookie` header; null without it. */
  readonly cookieOf: (req: Request, kind: keyof AuthCookies) => string | null;
  /** Whether the database is available. The library's failures do not say whether that is the reason. */
  readonly isDatabaseAvailable: () => Promise<boolean>;
  /** Called after each request that may have ended a session. */
  readonly onSessionsChanged: () => void;
}

/** What the library is to know of who makes a request: by default the session, and nothing else. */
type GivenCookies = readonly (keyof AuthCookies)[];
const SESSION: GivenCookies = ["session"];

export type AuthLibrary = ReturnType<typeof createAuthLibrary>;

const libraryError = z.object({ message: z.string(), code: z.string().optional() });

/** Calls the authentication library on behalf of a client, and forwards its responses. */
export function createAuthLibrary(options: AuthLibraryOptions) {
  const { auth, baseUrl, trustsProxy, cookieOf, isDatabaseAvailable, onSessionsChanged } = options;
  const queue = createPasswordQueue();

  function call(
    req: Request,
    path: AuthPath,
    given: GivenCookies,
    init: { readonly method: string; readonly body?: string },
  ): Promise<globalThis.Response> {
    const headers = new Headers({ "content-type": "application/json" });
    const cookies = given.flatMap((kind) => cookieOf(req, kind) ?? []);
    if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
    const userAgent = req.headers["user-agent"];
    if (userAgent !== undefined) headers.set("user-agent", userAgent);
    headers.set("x-forwarded-for", clientAddressOf(req, trustsProxy));
    return auth.handle(new Request(new URL(path, baseUrl), { ...init, headers }));
  }

  async function post(
    req: Request,
    path: AuthPath,
    body: object,
    given: GivenCookies = SESSION,
  ): Promise<globalThis.Response> {
    try {
      return await call(req, path, given, { method: "POST", body: JSON.stringify(body) });
    } finally {
      onSessionsChanged();
    }
  }

  async function inPasswordQueue<Value>(attempt: AllowedAttempt, work: () => Promise<Value>): Promise<Value> {
    try {
      return await queue(work);
    } catch (error) {
      attempt.refund();
      throw error;
    }
  }

  async function toFailure(text: string): Promise<Error> {
    if (await isDatabaseAvailable()) return new Error("The authentication library failed.", { cause: text });
    return new DatabaseUnavailableError();
  }

  return {
    get: (req: Request, path: AuthPath, given: GivenCookies = SESSION): Promise<globalThis.Response> =>
      call(req, path, given, { method: "GET" }),

    post,

    /** Like `post`, for calls that hash a password: they are queued. An attempt that fails before a verdict does not count. */
    postPassword: (attempt: AllowedAttempt, req: Request, path: AuthPath, body: object): Promise<globalThis.Response> =>
      inPasswordQueue(attempt, () => post(req, path, body)),

    /** Whether this is the password of the user who is signed in; the same queue. */
    isPassword: (attempt: AllowedAttempt, req: Request, password: string): Promise<boolean> =>
      inPasswordQueue(attempt, () =>
        auth.isPassword(new Headers({ cookie: cookieOf(req, "session") ?? "" }), password),
      ),

    /** Sends the browser on, with the cookies of a response of the library. Throws if the library itself has failed. */
    async redirect(res: Response, response: globalThis.Response, url: string): Promise<void> {
      if (response.status >= 500) throw await toFailure(await response.text());
      forwardCookies(res, response);
      redirectTo(res, url);
    },

    /** Forwards a response of the library, with its cookies, or instead of its body another. Throws if the library itself has failed. */
    async send(res: Response, response: globalThis.Response, body?: object): Promise<void> {
      forwardCookies(res, response);
      const text = await response.text();
      if (response.status >= 500) throw await toFailure(text);
      if (response.status >= 400) {
        sendError(res, { status: response.status, message: describeLibraryError(text) });
        return;
      }
      res.writeHead(response.status, {
        "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": "no-store",
      });
      res.end(body === undefined ? text : JSON.stringify(body));
    },
  };
}

/** Responds with what the server itself has to say. */
export function sendResult(res: Response, body: object): void {
  res.writeHead(200, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
  res.end(JSON.stringify(body));
}

/** Sends a browser to a page of the dashboard. */
export function redirectTo(res: Response, url: string): void {
  res.writeHead(303, { Location: url, "Cache-Control": "no-store" });
  res.end();
}

function forwardCookies(res: Response, response: globalThis.Response): void {
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
}

/** The library's name for why it has refused a request; null if it has not. */
export async function refusalOf(response: globalThis.Response): Promise<string | null> {
  if (response.ok) return null;
  return libraryError.safeParse(parseJson(await response.clone().text())).data?.code ?? null;
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
