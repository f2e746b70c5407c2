import {
  ConflictError,
  InvalidInputError,
  MAX_PASSKEYS,
  NotFoundError,
  UnauthenticatedError,
  type AccountService,
  type Clock,
  type UserPrincipal,
} from "@workspace/core";
import type { Request, Response } from "express";
import * as z from "zod";
import { addressBlockOf } from "./address-block.ts";
import { createAttemptLimiter } from "./attempt-limiter.ts";
import { newPasskeyBody, parseBody, passkeyByIdBody, passkeySignInBody, passwordBody } from "./auth-bodies.ts";
import type { AuthLibrary } from "./auth-library.ts";
import { refuseIfLimited, type AuthRoute, type AuthSteps } from "./auth-steps.ts";
import { clientAddressOf } from "./client-address.ts";

const MINUTE_MS = 60_000;
/** A challenge is a row that strangers have written, and lives for five minutes. */
const CHALLENGES_PER_ADDRESS = { max: 20, windowMs: MINUTE_MS };
const CHALLENGES = { max: 600, windowMs: MINUTE_MS };

export interface PasskeyRoutesOptions {
  readonly clock: Clock;
  readonly trustsProxy: boolean;
  readonly library: AuthLibrary;
  readonly steps: AuthSteps;
  readonly listSignInMethods: AccountService["listSignInMethods"];
}

const signedIn = z.object({ user: z.object({ email: z.string() }) });
const addedPasskey = z.object({ id: z.string() });

/** Passkeys: adding and removing them in a session, and signing in with one in the place of a password and a code. */
export function createPasskeyRoutes({
  clock,
  trustsProxy,
  library,
  steps,
  listSignInMethods,
}: PasskeyRoutesOptions): ReadonlyMap<string, AuthRoute> {
  const { get, post, isPassword, send } = library;
  const { requireSessionUser, tryFor, record } = steps;
  const tryFromAddress = createAttemptLimiter(CHALLENGES_PER_ADDRESS, clock);
  const tryAtAll = createAttemptLimiter(CHALLENGES, clock);

  return new Map<string, AuthRoute>([
    ["/api/auth/passkey/generate-register-options", { method: "POST", handle: beginToAdd }],
    ["/api/auth/passkey/verify-registration", { method: "POST", handle: add }],
    ["/api/auth/passkey/delete-passkey", { method: "POST", handle: remove }],
    ["/api/auth/passkey/generate-authenticate-options", { method: "POST", handle: beginToSignIn }],
    ["/api/auth/passkey/verify-authentication", { method: "POST", handle: signIn }],
  ]);

  /** What a browser needs to create a passkey. Wants the password, so that a stolen session cannot be made to last. */
  async function beginToAdd(req: Request, res: Response, body: unknown): Promise<void> {
    const user = await requireSessionUser(req);
    const { password } = parseBody(passwordBody, body);
    const attempt = tryFor(req, user.email);
    if (refuseIfLimited(res, attempt)) return;
    if (!(await isPassword(attempt, req, password))) throw InvalidInputError.at("password", "is not your password");
    attempt.refund();
    await assertPasskeys(user, MAX_PASSKEYS - 1);
    await send(res, await get(req, "/api/auth/passkey/generate-register-options"));
  }

  async function add(req: Request, res: Response, body: unknown): Promise<void> {
    const user = await requireSessionUser(req);
    const passkey = parseBody(newPasskeyBody, body);
    await assertPasskeys(user, MAX_PASSKEYS - 1);
    const response = await post(req, "/api/auth/passkey/verify-registration", passkey, ["session", "passkey"]);
    // The library reports a passkey that it cannot read as its own failure.
    if (!response.ok) throw new InvalidInputError("The passkey could not be verified. Try again.");
    const { id } = addedPasskey.parse(await response.clone().json());
    // Others may have been added at the same time. Who was last sees them all.
    await assertPasskeys(user, MAX_PASSKEYS).catch(async (error: unknown) => {
      await post(req, "/api/auth/passkey/delete-passkey", { id });
      throw error;
    });
    await record(req, user.email, "passkey_added");
    await send(res, response, { passkey: { id, name: passkey.name } });
  }

  async function assertPasskeys(user: UserPrincipal, max: number): Promise<void> {
    if ((await listSignInMethods(user)).passkeys.length <= max) return;
    throw new ConflictError(`You have ${MAX_PASSKEYS} passkeys. Remove one that you no longer use first.`);
  }

  async function remove(req: Request, res: Response, body: unknown): Promise<void> {
    const user = await requireSessionUser(req);
    const { id } = parseBody(passkeyByIdBody, body);
    const { passkeys } = await listSignInMethods(user);
    if (!passkeys.some((passkey) => passkey.id === id)) throw new NotFoundError("There is no such passkey.");
    const response = await post(req, "/api/auth/passkey/delete-passkey", { id });
    if (response.ok) await record(req, user.email, "passkey_removed");
    await send(res, response, { removed: true });
  }

  async function beginToSignIn(req: Request, res: Response): Promise<void> {
    const attempt = tryFromAddress(addressBlockOf(clientAddressOf(req, trustsProxy)));
    if (refuseIfLimited(res, attempt)) return;
    const ofAll = tryAtAll("all");
    if (refuseIfLimited(res, ofAll)) return;
    await send(res, await get(req, "/api/auth/passkey/generate-authenticate-options", []));
  }

  /** A signature cannot be guessed, so attempts are limited by those of their challenges, of which each is good for one. */
  async function signIn(req: Request, res: Response, body: unknown): Promise<void> {
    const { response: signature } = parseBody(passkeySignInBody, body);
    const response = await post(req, "/api/auth/passkey/verify-authentication", { response: signature }, ["passkey"]);
    if (response.status >= 400 && response.status < 500) {
      throw new UnauthenticatedError("This passkey does not sign in here. It may have been removed.");
    }
    const text = await response.clone().text();
    await send(res, response);
    void record(req, signedIn.parse(JSON.parse(text)).user.email, "signed_in_with_passkey");
  }
}
