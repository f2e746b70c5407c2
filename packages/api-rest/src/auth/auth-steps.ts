import { UnauthenticatedError, type AccountService, type SignInOutcome, type UserPrincipal } from "@workspace/core";
import type { Request, Response } from "express";
import { sendError } from "../rest/error-response.ts";
import type { AllowedAttempt, AttemptVerdict } from "./attempt-limiter.ts";
import { clientAddressOf } from "./client-address.ts";
import type { PasswordAttempts } from "./password-attempts.ts";

/** The method of a path and its handler. */
export interface AuthRoute {
  readonly method: "GET" | "POST";
  readonly handle: (req: Request, res: Response, body: unknown) => Promise<void>;
}

export interface AuthStepsOptions {
  readonly trustsProxy: boolean;
  readonly tryPassword: PasswordAttempts;
  /** The user of the request's session cookie; null without a valid one. */
  readonly findSessionUser: (req: Request) => Promise<UserPrincipal | null>;
  /** Records what happened to an account. */
  readonly recordSignIn: AccountService["recordSignIn"];
  readonly reportError: (error: unknown, req: Request) => void;
}

/** What routes of sign-in have in common. */
export interface AuthSteps {
  /** The user of the session cookie. Throws {@link UnauthenticatedError}. */
  requireSessionUser(req: Request): Promise<UserPrincipal>;
  /** Counts an attempt to guess what only the owner of this account knows. */
  tryFor(req: Request, email: string): AttemptVerdict;
  /**
   * Records what happened to an account; resolves in any case. Users who are signed in get their response afterwards, so that they see
   * it. All others get theirs before, as its time must not say whether there is such an account.
   */
  record(req: Request, email: string, outcome: SignInOutcome): Promise<void>;
}

export function createAuthSteps(options: AuthStepsOptions): AuthSteps {
  const addressOf = (req: Request): string => clientAddressOf(req, options.trustsProxy);
  return {
    async requireSessionUser(req) {
      const user = await options.findSessionUser(req);
      if (user === null) throw new UnauthenticatedError("Sign in first.");
      return user;
    },
    tryFor: (req, email) => options.tryPassword(addressOf(req), email),
    async record(req, email, outcome) {
      const userAgent = req.headers["user-agent"] ?? null;
      await options
        .recordSignIn({ email, outcome, address: addressOf(req), userAgent })
        .catch((error: unknown) => options.reportError(error, req));
    },
  };
}

/** Responds with 429 if an attempt is one too many. */
export function refuseIfLimited(
  res: Response,
  attempt: AttemptVerdict,
): attempt is Exclude<AttemptVerdict, AllowedAttempt> {
  if (attempt.isAllowed) return false;
  res.setHeader("Retry-After", attempt.retryAfterS);
  sendError(res, { status: 429, message: `Too many attempts. Try again in ${attempt.retryAfterS} seconds.` });
  return true;
}
