import {
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  toPublicError,
  UnavailableError,
  type AccountService,
  type Clock,
} from "@workspace/core";
import type { Request, RequestHandler, Response } from "express";
import { sendError, sendMethodNotAllowed } from "../rest/error-response.ts";
import type { JsonBodyReader } from "../rest/json-body.ts";
import { splitUrl } from "../rest/percent-encoding.ts";
import { addressBlockOf } from "./address-block.ts";
import { createAttemptLimiter, type AllowedAttempt } from "./attempt-limiter.ts";
import {
  changePasswordBody,
  parseBody,
  signInBody,
  signUpBody,
  toPossibleCredentials,
  updateUserBody,
} from "./auth-bodies.ts";
import { createAuthLibrary, type AuthLibraryOptions } from "./auth-library.ts";
import { createAuthSteps, refuseIfLimited, type AuthRoute, type AuthStepsOptions } from "./auth-steps.ts";
import { clientAddressOf, isLoopback } from "./client-address.ts";
import { createMethodsRoute } from "./methods-route.ts";
import { createPasskeyRoutes } from "./passkey-routes.ts";
import { createProviderRoutes, type ProviderRoutesOptions } from "./provider-routes.ts";
import { createPasswordResetRoutes, type PasswordResetRoutesOptions } from "./password-reset-routes.ts";
import { createSecondFactorRoutes, isCodeNeeded } from "./second-factor-routes.ts";

const SIGN_UP_PER_ADDRESS = { max: 10, windowMs: 60 * 60_000 };
const UNLIMITED: AllowedAttempt = { isAllowed: true, refund: () => undefined };

export interface AuthRoutesOptions
  extends
    AuthLibraryOptions,
    AuthStepsOptions,
    Pick<ProviderRoutesOptions, "provider" | "unlinkProvider">,
    Pick<PasswordResetRoutesOptions, "canSendMail"> {
  readonly clock: Clock;
  readonly isSignUpOpen: boolean;
  readonly readBody: JsonBodyReader;
  /** What a user signs in with. */
  readonly listSignInMethods: AccountService["listSignInMethods"];
}

/**
 * `/api/auth`: an explicit list of paths, each with our own input checks and limits before the library is called. Nothing else
 * that the library offers is reachable. Paths are compared as a whole and as they were sent, and the library is given the path
 * from the list, never the client's, so that both always mean the same one.
 *
 * A wrong email and a wrong password get the same response after the same time. A success never counts against a limit.
 */
export function createAuthRoutes(options: AuthRoutesOptions): RequestHandler {
  const { isSignUpOpen, trustsProxy, readBody, reportError } = options;
  const library = createAuthLibrary(options);
  const { get, post, postPassword, send } = library;
  const steps = createAuthSteps(options);
  const { requireSessionUser, tryFor, record } = steps;
  const trySignUp = createAttemptLimiter(SIGN_UP_PER_ADDRESS, options.clock);

  const routes: ReadonlyMap<string, AuthRoute> = new Map<string, AuthRoute>([
    ["/api/auth/sign-up/email", { method: "POST", handle: signUp }],
    ["/api/auth/sign-in/email", { method: "POST", handle: signIn }],
    ["/api/auth/sign-out", { method: "POST", handle: signOut }],
    ["/api/auth/methods", createMethodsRoute(options)],
    ["/api/auth/get-session", { method: "GET", handle: getSession }],
    ["/api/auth/change-password", { method: "POST", handle: changePassword }],
    ["/api/auth/update-user", { method: "POST", handle: updateUser }],
    ...createSecondFactorRoutes({ ...options, library, steps }),
    ...createPasskeyRoutes({ ...options, library, steps }),
    ...createProviderRoutes({ ...options, library, steps }),
    ...createPasswordResetRoutes({ ...options, library, steps }),
  ]);

  return (req, res) => {
    void handle(req, res).catch((error: unknown) => {
      const publicError = toPublicError(error);
      reportError(error, req);
      sendError(res, publicError);
    });
  };

  async function handle(req: Request, res: Response): Promise<void> {
    const [path] = splitUrl(req.originalUrl);
    const route = routes.get(path);
    if (route === undefined) throw new NotFoundError("There is nothing at this URL.");
    if (req.method !== route.method) return sendMethodNotAllowed(res, [route.method]);
    await route.handle(req, res, await readBody(req, res));
  }

  async function signUp(req: Request, res: Response, body: unknown): Promise<void> {
    const account = parseBody(signUpBody, body);
    if (!isSignUpOpen) throw new ForbiddenError("Sign-up is closed on this server.");
    const address = clientAddressOf(req, trustsProxy);
    const attempt = isLoopback(address) ? UNLIMITED : trySignUp(addressBlockOf(address));
    if (refuseIfLimited(res, attempt)) return;
    const response = await postPassword(attempt, req, "/api/auth/sign-up/email", account);
    await send(res, response);
    if (response.ok) void record(req, account.email, "signed_up");
  }

  async function signIn(req: Request, res: Response, body: unknown): Promise<void> {
    const credentials = toPossibleCredentials(parseBody(signInBody, body));
    const attempt = tryFor(req, credentials.email);
    if (refuseIfLimited(res, attempt)) return;
    const response = await postPassword(attempt, req, "/api/auth/sign-in/email", credentials);
    if (response.status !== 401) attempt.refund();
    const isComplete = response.ok && !(await isCodeNeeded(response));
    await send(res, response);
    if (isComplete || response.status === 401)
      void record(req, credentials.email, response.ok ? "signed_in" : "wrong_password");
  }

  async function signOut(req: Request, res: Response): Promise<void> {
    const response = await post(req, "/api/auth/sign-out", {});
    // The library reports success even if it could not delete the session.
    if ((await options.findSessionUser(req)) !== null) {
      throw new UnavailableError("The session could not be ended. Try again in a moment.");
    }
    await send(res, response);
  }

  async function getSession(req: Request, res: Response): Promise<void> {
    await send(res, await get(req, "/api/auth/get-session"));
  }

  /** Ends all sessions of the user and starts a new one for the caller. */
  async function changePassword(req: Request, res: Response, body: unknown): Promise<void> {
    const user = await requireSessionUser(req);
    const passwords = parseBody(changePasswordBody, body);
    const attempt = tryFor(req, user.email);
    if (refuseIfLimited(res, attempt)) return;
    const change = { ...passwords, revokeOtherSessions: true };
    const response = await postPassword(attempt, req, "/api/auth/change-password", change);
    // All other reasons for which the library refuses were checked above.
    if (response.status === 400) throw InvalidInputError.at("currentPassword", "is not your password");
    attempt.refund();
    if (response.ok) await record(req, user.email, "password_changed");
    await send(res, response);
  }

  async function updateUser(req: Request, res: Response, body: unknown): Promise<void> {
    await requireSessionUser(req);
    await send(res, await post(req, "/api/auth/update-user", parseBody(updateUserBody, body)));
  }
}
