import { queryOptions } from "@tanstack/react-query";
import type { Client } from "../client/client.ts";
import { authRequest, userIn, type SessionUser } from "./session.ts";

/** In what ways people sign in here. */
export interface SignInWays {
  /** The name of the provider with whose accounts they do; null if there is none. */
  readonly providerName: string | null;
  readonly isSignUpOpen: boolean;
  /** Whether whoever has forgotten their password gets a mail. */
  readonly canResetPassword: boolean;
}

export function signInWaysQuery(client: Client) {
  return queryOptions({
    queryKey: ["sign-in-ways"],
    queryFn: async ({ signal }): Promise<SignInWays> => waysIn(await authRequest(client, "GET", "methods", { signal })),
    staleTime: Infinity,
  });
}

function waysIn(result: unknown): SignInWays {
  if (typeof result !== "object" || result === null) throw new Error("There is no list of ways to sign in.");
  const provider = "provider" in result ? result.provider : null;
  const name = typeof provider === "object" && provider !== null && "name" in provider ? String(provider.name) : null;
  return {
    providerName: name,
    isSignUpOpen: "isSignUpOpen" in result && result.isSignUpOpen === true,
    canResetPassword: "canResetPassword" in result && result.canResetPassword === true,
  };
}

/** Has a mail sent with which the password of this account can be set, if there is such an account. */
export async function requestPasswordReset(client: Client, email: string): Promise<void> {
  await authRequest(client, "POST", "request-password-reset", { body: { email } });
}

/** Sets a password by what was in the mail. Refused with status 400 if that is not valid, or no longer. */
export async function resetPassword(
  client: Client,
  reset: { readonly token: string; readonly newPassword: string },
): Promise<void> {
  await authRequest(client, "POST", "reset-password", { body: reset });
}

/** The URL of the provider at which the browser signs in, to continue at this path; also if it is signed in there and `isAgain`. */
export async function beginProviderSignIn(
  client: Client,
  flow: { readonly next: string; readonly isAgain: boolean },
): Promise<string> {
  return urlIn(await authRequest(client, "POST", "oidc/begin", { body: flow }));
}

/** The URL of the provider at which the browser signs in, to be linked to the user. Refused with status 400 if the password is wrong. */
export async function beginProviderLink(client: Client, password: string): Promise<string> {
  return urlIn(await authRequest(client, "POST", "oidc/link", { body: { password } }));
}

export async function unlinkProvider(client: Client): Promise<void> {
  await authRequest(client, "POST", "oidc/unlink", { body: {} });
}

function urlIn(result: unknown): string {
  if (typeof result !== "object" || result === null || !("url" in result)) throw new Error("There is no URL.");
  return String(result.url);
}

/** Completes a sign-in with a code of the user's app, or one of their recovery codes. */
export async function enterCode(client: Client, code: string, kind: "app" | "recovery"): Promise<SessionUser | null> {
  const path = kind === "app" ? "two-factor/verify-totp" : "two-factor/verify-backup-code";
  return userIn(await authRequest(client, "POST", path, { body: { code } }));
}

/** What the browser needs to sign in with a passkey, as the server writes it. */
export function beginPasskeySignIn(client: Client): Promise<unknown> {
  return authRequest(client, "POST", "passkey/generate-authenticate-options", { body: {} });
}

export async function signInWithPasskey(client: Client, response: object): Promise<SessionUser | null> {
  return userIn(await authRequest(client, "POST", "passkey/verify-authentication", { body: { response } }));
}

/** What the browser needs to create a passkey. Refused with status 400 if the password is wrong. */
export function beginNewPasskey(client: Client, password: string): Promise<unknown> {
  return authRequest(client, "POST", "passkey/generate-register-options", { body: { password } });
}

export async function addPasskey(client: Client, passkey: { name: string; response: object }): Promise<void> {
  await authRequest(client, "POST", "passkey/verify-registration", { body: passkey });
}

export async function removePasskey(client: Client, id: string): Promise<void> {
  await authRequest(client, "POST", "passkey/delete-passkey", { body: { id } });
}

/** What an app scans, and the codes that replace the app. */
export interface CodeSecret {
  readonly uri: string;
  readonly recoveryCodes: readonly string[];
}

/** Creates a secret for an authenticator app. Refused with status 400 if the password is wrong. */
export async function prepareCodes(client: Client, password: string): Promise<CodeSecret> {
  const result = await authRequest(client, "POST", "two-factor/enable", { body: { password } });
  if (typeof result !== "object" || result === null || !("totpURI" in result)) throw new Error("There is no secret.");
  return { uri: String(result.totpURI), recoveryCodes: codesIn(result) };
}

/** Turns codes on, by the first one. Refused with status 400 if it is wrong. */
export async function turnOnCodes(client: Client, code: string): Promise<void> {
  await authRequest(client, "POST", "two-factor/confirm", { body: { code } });
}

export async function turnOffCodes(client: Client, password: string): Promise<void> {
  await authRequest(client, "POST", "two-factor/disable", { body: { password } });
}

/** New recovery codes; the former ones no longer count. */
export async function replaceRecoveryCodes(client: Client, password: string): Promise<readonly string[]> {
  return codesIn(await authRequest(client, "POST", "two-factor/generate-backup-codes", { body: { password } }));
}

function codesIn(result: unknown): readonly string[] {
  if (typeof result !== "object" || result === null || !("backupCodes" in result)) return [];
  return Array.isArray(result.backupCodes) ? result.backupCodes.map(String) : [];
}
