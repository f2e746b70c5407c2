import type { Client } from "../client/client.ts";
import { authRequest, userIn, type SessionUser } from "./session.ts";

/** The user, or that a code is to be entered before they are signed in. */
export async function signIn(
  client: Client,
  credentials: { email: string; password: string },
): Promise<SessionUser | "code-needed" | null> {
  const result = await authRequest(client, "POST", "sign-in/email", { body: credentials });
  const isCodeNeeded = typeof result === "object" && result !== null && "twoFactorRedirect" in result;
  return isCodeNeeded ? "code-needed" : userIn(result);
}

export async function signUp(
  client: Client,
  account: { name: string; email: string; password: string },
): Promise<SessionUser | null> {
  return userIn(await authRequest(client, "POST", "sign-up/email", { body: account }));
}

/** Ends all other sessions of the user. Refused with status 400 if the current password is wrong. */
export async function changePassword(
  client: Client,
  passwords: { currentPassword: string; newPassword: string },
): Promise<void> {
  await authRequest(client, "POST", "change-password", { body: passwords });
}

/** Changes the user's name. */
export async function renameUser(client: Client, name: string): Promise<SessionUser | null> {
  return userIn(await authRequest(client, "POST", "update-user", { body: { name } }));
}

export async function signOut(client: Client): Promise<void> {
  await authRequest(client, "POST", "sign-out", { body: {} });
}
