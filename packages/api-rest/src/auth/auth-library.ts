import { UnavailableError, type Auth } from "@workspace/core";
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
  /** The session cookie of a request, as a `Cookie` header; null without one. */
  readonly sessionCookieOf: (req: Request) => string | null;
  /** Whether the database is available. The library's failures do not say whether that is the reason. */
  readonly isDatabaseAvailable: () => Promise<boolean>;
  /** Called after each request that may have ended a session. */
  readonly onSessionsChanged: () => void;
}

const libraryError = z.object({ message: z.string() });

/** Calls the authentication library on behalf of a client, and forwards its responses. */
export function createAuthLibrary(options: AuthLibraryOptions) {
  const { auth, baseUrl, trustsProxy, sessionCookieOf, isDatabaseAvailable, onSessionsChanged } = options;
  const inPasswordQueue = createPasswordQueue();

  function call(
    req: Request,
    path: AuthPath,
    init: { readonly method: string; readonly body?: string },
  ): Promise<globalThis.Response> {
    const headers = new Headers({ "content-type": "application/json" });
    const cookie = sessionCookieOf(req);
    if (cookie !== null) headers.set("cookie", cookie);
    const userAgent = req.headers["user-agent"];
    if (userAgent !== undefined) headers.set("user-agent", userAgent);
    headers.set("x-forwarded-for", clientAddressOf(req, trustsProxy));
    return auth.handle(new Request(new URL(path, baseUrl), { ...init, headers }));
  }

  async function post(req: Request, path: AuthPath, body: object): Promise<globalThis.Response> {
    try {
      return await call(req, path, { method: "POST", body: JSON.stringify(body) });
    } finally {
      onSessionsChanged();
    }
  }

  async function toFailure(text: string): Promise<Error> {
    if (await isDatabaseAvailable()) return new Error("The authentication library failed.", { cause: text });
    return new UnavailableError("The database is not available. Try again in a moment.");
  }

  return {
    get: (req: Request, path: AuthPath): Promise<globalThis.Response> => call(req, path, { method: "GET" }),

    post,

    /** Like `post`, for calls that hash a password: they are queued. An attempt that fails before a verdict does not count. */
    async postPassword(
      attempt: AllowedAttempt,
      req: Request,
      path: AuthPath,
      body: object,
    ): Promise<globalThis.Response> {
      try {
        return await inPasswordQueue(() => post(req, path, body));
      } catch (error) {
        attempt.refund();
        throw error;
      }
    },

    /** Forwards a response of the library, with its cookies. Throws if the library itself has failed. */
    async send(res: Response, response: globalThis.Response): Promise<void> {
      const cookies = response.headers.getSetCookie();
      if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
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
      res.end(text);
    },
  };
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
