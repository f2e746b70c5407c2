import {
  ConflictError,
  InvalidInputError,
  toRecoveryCode,
  UnauthenticatedError,
  type Auth,
  type Clock,
  type SignInOutcome,
} from "@workspace/core";
import type { Request, Response } from "express";
import * as z from "zod";
import { sendError } from "../rest/error-response.ts";
import { createAttemptLimiter, type AttemptVerdict } from "./attempt-limiter.ts";
import { codeBody, parseBody, passwordBody } from "./auth-bodies.ts";
import { refusalOf, type AuthLibrary, type AuthLibraryOptions, type AuthPath } from "./auth-library.ts";
import { refuseIfLimited, type AuthRoute, type AuthSteps } from "./auth-steps.ts";

/** Longer than any code of an app is accepted. */
const CODE_LIFETIME_MS = 2 * 60_000;
/** As many wrong codes in a row as the library accepts before it refuses all; it counts those that come at the same time too late. */
const CODES_PER_ACCOUNT = { max: 10, windowMs: 15 * 60_000 };
const TOO_LATE = "Sign in with your password again: the time to enter a code is over.";

export interface SecondFactorRoutesOptions extends Pick<AuthLibraryOptions, "cookieOf"> {
  readonly auth: Pick<Auth, "findChallengedEmail">;
  readonly clock: Clock;
  readonly library: AuthLibrary;
  readonly steps: AuthSteps;
}

/** Marks a code of an account as used; refused if it is. */
type UseOfCode = (email: string, code: string) => AttemptVerdict;

const pendingSignIn = z.object({ twoFactorRedirect: z.literal(true) });

/** Whether the library has accepted a password, but wants a code before there is a session. */
export async function isCodeNeeded(response: globalThis.Response): Promise<boolean> {
  return pendingSignIn.safeParse(await response.clone().json()).success;
}

/**
 * Codes of an authenticator app: turning them on and off, and entering one, or a recovery code, to complete a sign-in. A wrong code
 * counts with wrong passwords of the same account, and so does a wrong password here.
 */
export function createSecondFactorRoutes(options: SecondFactorRoutesOptions): ReadonlyMap<string, AuthRoute> {
  const isFirstUse = createAttemptLimiter({ max: 1, windowMs: CODE_LIFETIME_MS }, options.clock);
  // The library accepts a code of an app as often as it is valid.
  const useCode: UseOfCode = (email, code) => isFirstUse(`${email} ${code}`);
  return new Map([...createSettingRoutes(options, useCode), ...createSignInRoutes(options, useCode)]);
}

/** For somebody who is signed in. */
function createSettingRoutes({ library, steps }: SecondFactorRoutesOptions, useCode: UseOfCode): [string, AuthRoute][] {
  const { post, postPassword, send } = library;
  const { requireSessionUser, tryFor, record } = steps;

  return [
    ["/api/auth/two-factor/enable", { method: "POST", handle: enable }],
    ["/api/auth/two-factor/confirm", { method: "POST", handle: confirm }],
    ["/api/auth/two-factor/disable", { method: "POST", handle: disable }],
    ["/api/auth/two-factor/generate-backup-codes", { method: "POST", handle: replaceRecoveryCodes }],
  ];

  /** Creates a secret for an app, and recovery codes. They count once a code of the app was entered. */
  async function enable(req: Request, res: Response, body: unknown): Promise<void> {
    await withPassword(req, res, body, "/api/auth/two-factor/enable", null);
  }

  async function disable(req: Request, res: Response, body: unknown): Promise<void> {
    await withPassword(req, res, body, "/api/auth/two-factor/disable", "codes_turned_off");
  }

  async function replaceRecoveryCodes(req: Request, res: Response, body: unknown): Promise<void> {
    await withPassword(req, res, body, "/api/auth/two-factor/generate-backup-codes", "recovery_codes_replaced");
  }

  async function withPassword(
    req: Request,
    res: Response,
    body: unknown,
    path: AuthPath,
    outcome: SignInOutcome | null,
  ): Promise<void> {
    const user = await requireSessionUser(req);
    const { password } = parseBody(passwordBody, body);
    const attempt = tryFor(req, user.email);
    if (refuseIfLimited(res, attempt)) return;
    const response = await postPassword(attempt, req, path, { password });
    const refusal = await refusalOf(response);
    if (refusal === "INVALID_PASSWORD") throw InvalidInputError.at("password", "is not your password");
    attempt.refund();
    if (refusal === "TOTP_ALREADY_ENABLED") throw new ConflictError("Codes are already turned on.");
    if (refusal === "TWO_FACTOR_NOT_ENABLED") throw new ConflictError("Codes are not turned on.");
    if (response.ok && outcome !== null) await record(req, user.email, outcome);
    await send(res, response);
  }

  /** Turns codes on, by the first one. */
  async function confirm(req: Request, res: Response, body: unknown): Promise<void> {
    const user = await requireSessionUser(req);
    const code = toAppCode(parseBody(codeBody, body).code);
    const attempt = tryFor(req, user.email);
    if (refuseIfLimited(res, attempt)) return;
    const use = useCode(user.email, code);
    const response = await post(req, "/api/auth/two-factor/verify-totp", { code });
    if (!response.ok && use.isAllowed) use.refund();
    const refusal = await refusalOf(response);
    if (refusal === "INVALID_CODE") throw InvalidInputError.at("code", "is not the code that the app shows now");
    attempt.refund();
    if (refusal === "TOTP_NOT_ENABLED") throw new ConflictError("Set up an app first.");
    if (response.ok) await record(req, user.email, "codes_turned_on");
    await send(res, response, { enabled: true });
  }
}

/** For somebody who has entered their password. */
function createSignInRoutes(
  { auth, clock, cookieOf, library, steps }: SecondFactorRoutesOptions,
  useCode: UseOfCode,
): [string, AuthRoute][] {
  const { post, send } = library;
  const { tryFor, record } = steps;
  const tryOnAccount = createAttemptLimiter(CODES_PER_ACCOUNT, clock);

  return [
    ["/api/auth/two-factor/verify-totp", { method: "POST", handle: signInWithCode }],
    ["/api/auth/two-factor/verify-backup-code", { method: "POST", handle: signInWithRecoveryCode }],
  ];

  async function signInWithCode(req: Request, res: Response, body: unknown): Promise<void> {
    const code = toAppCode(parseBody(codeBody, body).code);
    await completeSignIn(req, res, "/api/auth/two-factor/verify-totp", code, "signed_in_with_code");
  }

  async function signInWithRecoveryCode(req: Request, res: Response, body: unknown): Promise<void> {
    const code = toRecoveryCode(parseBody(codeBody, body).code);
    await completeSignIn(req, res, "/api/auth/two-factor/verify-backup-code", code, "signed_in_with_recovery_code");
  }

  async function completeSignIn(
    req: Request,
    res: Response,
    path: AuthPath,
    code: string,
    outcome: SignInOutcome,
  ): Promise<void> {
    const challenge = cookieOf(req, "secondFactor");
    const email = challenge === null ? null : await auth.findChallengedEmail(challenge);
    if (email === null) throw new UnauthenticatedError(TOO_LATE);
    const attempt = tryFor(req, email);
    if (refuseIfLimited(res, attempt)) return;
    const use = useCode(email, code);
    if (!use.isAllowed) throw new UnauthenticatedError("This code was used already. Wait for the next one.");
    const fromAnywhere = tryOnAccount(email);
    if (!fromAnywhere.isAllowed) {
      use.refund();
      return refuseForAWhile(res, fromAnywhere.retryAfterS);
    }
    // Without the session cookie, by which the library would take the code for a confirmation in that session.
    const response = await post(req, path, { code }, ["secondFactor"]);
    if (response.ok) {
      attempt.refund();
      fromAnywhere.refund();
      await send(res, response);
      void record(req, email, outcome);
      return;
    }
    use.refund();
    const refusal = await refusalOf(response);
    if (refusal === "INVALID_CODE" || refusal === "INVALID_BACKUP_CODE") {
      void record(req, email, "wrong_code");
      throw new UnauthenticatedError("This code is not right, or no longer valid.");
    }
    fromAnywhere.refund();
    if (refusal === "ACCOUNT_TEMPORARILY_LOCKED") return refuseForAWhile(res, CODES_PER_ACCOUNT.windowMs / 1000);
    if (response.status < 500) throw new UnauthenticatedError(TOO_LATE);
    await send(res, response);
  }
}

function refuseForAWhile(res: Response, retryAfterS: number): void {
  res.setHeader("Retry-After", retryAfterS);
  sendError(res, { status: 429, message: "Too many wrong codes. Try again in a quarter of an hour." });
}

/** Apps show codes in groups. */
const toAppCode = (typed: string): string => typed.replaceAll(/[\s-]/g, "");
