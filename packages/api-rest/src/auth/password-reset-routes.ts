import { DatabaseUnavailableError, InvalidInputError, NotFoundError, type Auth, type Clock } from "@workspace/core";
import type { Request, Response } from "express";
import { addressBlockOf } from "./address-block.ts";
import { createAttemptLimiter } from "./attempt-limiter.ts";
import { parseBody, passwordResetBody, passwordResetRequestBody } from "./auth-bodies.ts";
import { sendResult, type AuthLibrary, type AuthLibraryOptions } from "./auth-library.ts";
import { refuseIfLimited, type AuthRoute, type AuthSteps } from "./auth-steps.ts";
import { clientAddressOf } from "./client-address.ts";

const HOUR_MS = 60 * 60_000;
/** Each may send a mail to somebody who did not ask for it. */
const REQUESTS_PER_ADDRESS = { max: 10, windowMs: HOUR_MS };
const REQUESTS_PER_EMAIL = { max: 5, windowMs: HOUR_MS };
const REQUESTS = { max: 300, windowMs: HOUR_MS };
const ATTEMPTS_PER_ADDRESS = { max: 20, windowMs: 60_000 };

const NOT_VALID = "is not valid, or no longer: ask for another mail";

export interface PasswordResetRoutesOptions extends Pick<AuthLibraryOptions, "trustsProxy" | "isDatabaseAvailable"> {
  /** Without mail there are none of these routes. */
  readonly canSendMail: boolean;
  readonly auth: Pick<Auth, "findResetEmail">;
  readonly clock: Clock;
  readonly library: AuthLibrary;
  readonly steps: AuthSteps;
  readonly reportError: (error: unknown, req: Request) => void;
}

/** Setting a new password, for whoever has forgotten theirs, by a mail. */
export function createPasswordResetRoutes(options: PasswordResetRoutesOptions): ReadonlyMap<string, AuthRoute> {
  const { auth, clock, library, steps } = options;
  const tryFromAddress = createAttemptLimiter(REQUESTS_PER_ADDRESS, clock);
  const tryForEmail = createAttemptLimiter(REQUESTS_PER_EMAIL, clock);
  const tryAtAll = createAttemptLimiter(REQUESTS, clock);
  const tryToken = createAttemptLimiter(ATTEMPTS_PER_ADDRESS, clock);
  const blockOf = (req: Request): string => addressBlockOf(clientAddressOf(req, options.trustsProxy));

  return new Map<string, AuthRoute>([
    ["/api/auth/request-password-reset", { method: "POST", handle: request }],
    ["/api/auth/reset-password", { method: "POST", handle: reset }],
  ]);

  function assertMail(): void {
    if (!options.canSendMail) throw new NotFoundError("This server sends no mail.");
  }

  /**
   * Responds before it is known whether there is such an account, so that neither the response nor its time says so. The limits count
   * addresses that nobody has as well.
   */
  async function request(req: Request, res: Response, body: unknown): Promise<void> {
    assertMail();
    const { email } = parseBody(passwordResetRequestBody, body);
    // In this order, so that whoever is refused does not use up the attempts of others.
    if (refuseIfLimited(res, tryFromAddress(blockOf(req)))) return;
    if (refuseIfLimited(res, tryForEmail(email.toLowerCase()))) return;
    if (refuseIfLimited(res, tryAtAll("all"))) return;
    if (!(await options.isDatabaseAvailable())) {
      throw new DatabaseUnavailableError();
    }
    sendResult(res, { requested: true });
    requestLater(req, email).catch((error: unknown) => options.reportError(error, req));
  }

  async function requestLater(req: Request, email: string): Promise<void> {
    const response = await library.post(req, "/api/auth/request-password-reset", { email }, []);
    if (!response.ok) throw new Error("A password could not be reset.", { cause: await response.text() });
    await steps.record(req, email, "password_reset_requested");
  }

  /** Ends all sessions of the user. They sign in with the new password, and with a code if they use one. */
  async function reset(req: Request, res: Response, body: unknown): Promise<void> {
    assertMail();
    const attempt = tryToken(blockOf(req));
    if (refuseIfLimited(res, attempt)) return;
    const passwords = parseBody(passwordResetBody, body);
    // No password is hashed for whoever has no token.
    const email = await auth.findResetEmail(passwords.token);
    if (email === null) throw InvalidInputError.at("token", NOT_VALID);
    attempt.refund();
    const response = await library.postPassword(attempt, req, "/api/auth/reset-password", passwords);
    // It was used at the same time.
    if (response.status === 400) throw InvalidInputError.at("token", NOT_VALID);
    await library.send(res, response, { reset: true });
    if (response.ok) void steps.record(req, email, "password_reset");
  }
}
