import {
  ForbiddenError,
  InvalidInputError,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  describeIssues,
  toPublicError,
  UnavailableError,
  type Auth,
  type Clock,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import * as z from "zod";
import { createAttemptLimiter, type AttemptVerdict } from "./attempt-limiter.ts";
import { clientAddressOf, isLoopback } from "./client-address.ts";
import { sendError, sendMethodNotAllowed } from "../rest/error-response.ts";
import type { JsonBodyReader } from "../rest/json-body.ts";

const MINUTE_MS = 60_000;
/** What decisions on the contract allow: failed sign-ins per address and per account from one address, sign-ups per address. */
const SIGN_IN_PER_ADDRESS = { max: 20, windowMs: MINUTE_MS };
const SIGN_IN_PER_ACCOUNT = { max: 5, windowMs: MINUTE_MS };
const SIGN_UP_PER_ADDRESS = { max: 10, windowMs: 60 * MINUTE_MS };

const storableText = z
  .string()
  .refine((text) => !text.includes("\0") && text.isWellFormed(), "contains characters that cannot be stored");
const signInBody = z.object({ email: storableText, password: z.string() });
const signUpBody = z.object({
  name: storableText.trim().min(1, "must not be empty").max(200, "must be at most 200 characters"),
  email: storableText.pipe(z.email("expected an email address")),
  password: z
    .string()
    .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
    .max(MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`),
});
/** Stands in for what no account can have, so that it gets the answer of a wrong password after the same work. */
const IMPOSSIBLE_SIGN_IN = { email: "nobody@nowhere.invalid", password: "impossible" };
/** What the contract's addresses under `/api/auth` answer to. The library would call another method an unknown address. */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  ["/sign-up/email", ["POST"]],
  ["/sign-in/email", ["POST"]],
  ["/sign-out", ["POST"]],
  ["/get-session", ["GET"]],
]);
const libraryError = z.object({ message: z.string() });

export interface AuthRoutesOptions {
  readonly auth: Auth;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly isSignUpOpen: boolean;
  readonly trustsProxy: boolean;
  readonly readBody: JsonBodyReader;
  /** Tells whether the database is why the library failed; the library itself does not say. */
  readonly isDatabaseAvailable: () => Promise<boolean>;
  /** Called after each request that may have ended a session. */
  readonly onSessionsChanged: () => void;
  readonly reportError: (error: unknown, req: Request) => void;
}

/**
 * Everything under `/api/auth`: input checks and limits of our own, then the library. Wrong email and wrong password look
 * and last the same; a success never counts against a limit, and limits follow the address, so nobody can lock an account
 * for its owner elsewhere.
 */
export function createAuthRoutes(options: AuthRoutesOptions): RequestHandler {
  const {
    auth,
    clock,
    baseUrl,
    isSignUpOpen,
    trustsProxy,
    readBody,
    isDatabaseAvailable,
    onSessionsChanged,
    reportError,
  } = options;
  const trySignInFromAddress = createAttemptLimiter(SIGN_IN_PER_ADDRESS, clock);
  const trySignInToAccount = createAttemptLimiter(SIGN_IN_PER_ACCOUNT, clock);
  const trySignUp = createAttemptLimiter(SIGN_UP_PER_ADDRESS, clock);

  return (req, res) => {
    void handle(req, res).catch((error: unknown) => {
      const publicError = toPublicError(error);
      reportError(error, req);
      sendError(res, publicError);
    });
  };

  async function handle(req: Request, res: Response): Promise<void> {
    const path = req.path.replace(/\/+$/, "");
    const allowedMethods = METHODS.get(path);
    if (allowedMethods?.includes(req.method) === false) return sendMethodNotAllowed(res, allowedMethods);
    const body = await readBody(req, res);
    if (req.method === "POST" && path === "/sign-in/email") return signIn(req, res, parseBody(signInBody, body));
    if (req.method === "POST" && path === "/sign-up/email") return signUp(req, res, parseBody(signUpBody, body));
    await send(req, res, await callLibrary(req, body));
  }

  async function signIn(req: Request, res: Response, body: z.infer<typeof signInBody>): Promise<void> {
    const address = clientAddressOf(req, trustsProxy);
    const attempts = [trySignInFromAddress(address)];
    if (attempts[0]?.isAllowed === true) attempts.push(trySignInToAccount(`${address} ${body.email.toLowerCase()}`));
    if (refuseIfLimited(res, attempts)) {
      refund(attempts);
      return;
    }
    const response = await callLibrary(req, isPossible(body) ? body : IMPOSSIBLE_SIGN_IN);
    if (response.status !== 401) refund(attempts);
    await send(req, res, response);
  }

  async function signUp(req: Request, res: Response, body: z.infer<typeof signUpBody>): Promise<void> {
    if (!isSignUpOpen) throw new ForbiddenError("Sign-up is closed on this server.");
    const address = clientAddressOf(req, trustsProxy);
    if (!isLoopback(address) && refuseIfLimited(res, [trySignUp(address)])) return;
    await send(req, res, await callLibrary(req, body));
  }

  function callLibrary(req: Request, body: unknown): Promise<globalThis.Response> {
    const headers = new Headers({ "content-type": "application/json" });
    for (const name of ["cookie", "user-agent"] as const) {
      const value = req.headers[name];
      if (value !== undefined) headers.set(name, value);
    }
    headers.set("x-forwarded-for", clientAddressOf(req, trustsProxy));
    const hasBody = req.method !== "GET" && req.method !== "HEAD";
    return auth.handle(
      new Request(new URL(req.originalUrl, baseUrl), {
        method: req.method,
        headers,
        ...(hasBody && { body: JSON.stringify(body ?? {}) }),
      }),
    );
  }

  async function send(req: Request, res: Response, response: globalThis.Response): Promise<void> {
    if (req.method !== "GET") onSessionsChanged();
    const cookies = response.headers.getSetCookie();
    if (cookies.length > 0) res.setHeader("Set-Cookie", cookies);
    const text = await response.text();
    if (response.status >= 500) throw await explainFailure(text);
    if (response.status >= 400) {
      sendError(res, { status: response.status, message: describeLibraryError(response.status, text) });
      return;
    }
    res.writeHead(response.status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
    res.end(text);
  }

  async function explainFailure(text: string): Promise<Error> {
    if (await isDatabaseAvailable()) return new Error("The authentication library failed.", { cause: text });
    return new UnavailableError("The database is not available. Try again in a moment.");
  }
}

function isPossible({ email, password }: z.infer<typeof signInBody>): boolean {
  return z.email().safeParse(email).success && password.length <= MAX_PASSWORD_LENGTH;
}

function parseBody<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const issues = describeIssues(parsed.error.issues);
  throw new InvalidInputError(issues.map((issue) => `${issue.path}: ${issue.message}`).join("; "), { issues });
}

function refuseIfLimited(res: Response, attempts: readonly AttemptVerdict[]): boolean {
  const refusal = attempts.find((attempt) => !attempt.isAllowed);
  if (refusal === undefined) return false;
  res.setHeader("Retry-After", refusal.retryAfterS);
  sendError(res, { status: 429, message: `Too many attempts. Try again in ${refusal.retryAfterS} seconds.` });
  return true;
}

function refund(attempts: readonly AttemptVerdict[]): void {
  for (const attempt of attempts) if (attempt.isAllowed) attempt.refund();
}

function describeLibraryError(status: number, text: string): string {
  if (status === 404) return "There is nothing at this address.";
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
