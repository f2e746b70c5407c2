import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import { deleteAllProviderLinks } from "../sign-in-provider/provider.queries.ts";

const userByEmail = defineQuery({
  name: "select-user-by-email",
  row: { id: column.uuid, email: column.text },
  text: "SELECT id, email FROM users WHERE lower(email) = lower($1)",
});

/** The user with this email, in any case; null if there is none. */
export function selectUserByEmail(db: Queryable, email: string): Promise<{ id: string; email: string } | null> {
  return userByEmail.first(db, [email]);
}

const changedPassword = defineCommand({
  name: "update-password",
  text: "UPDATE accounts SET password = $2, updated_at = $3 WHERE user_id = $1 AND provider_id = 'credential'",
});

const newPassword = defineCommand({
  name: "insert-password",
  text: `
    INSERT INTO accounts (id, user_id, account_id, provider_id, password, created_at, updated_at)
    VALUES ($1, $2::uuid, $2::uuid::text, 'credential', $3, $4, $4)`,
});

/** Sets the password with which a user signs in, also if there was none. */
export async function setPassword(
  db: Queryable,
  { id, userId, hash, now }: { id: string; userId: string; hash: string; now: Date },
): Promise<void> {
  if ((await changedPassword.run(db, [userId, hash, now])) > 0) return;
  await newPassword.run(db, [id, userId, hash, now]);
}

const allSessions = defineCommand({ name: "delete-all-sessions", text: "DELETE FROM sessions WHERE user_id = $1" });

/** Ends all sessions of a user in every process, by a trigger, and returns how many. */
export function deleteAllSessions(db: Queryable, userId: string): Promise<number> {
  return allSessions.run(db, [userId]);
}

const secondFactor = defineCommand({
  name: "delete-second-factor",
  text: "DELETE FROM two_factors WHERE user_id = $1",
});
const codeUse = defineCommand({
  name: "update-code-use",
  text: "UPDATE users SET two_factor_enabled = false, updated_at = $2 WHERE id = $1",
});
const allPasskeys = defineCommand({ name: "delete-all-passkeys", text: "DELETE FROM passkeys WHERE user_id = $1" });

/** Leaves a user with their password alone to sign in; returns what there was besides it. */
export async function deleteSignInMethods(
  db: Queryable,
  userId: string,
  now: Date,
): Promise<{ readonly hadCodes: boolean; readonly passkeys: number; readonly providers: number }> {
  const hadCodes = (await secondFactor.run(db, [userId])) > 0;
  await codeUse.run(db, [userId, now]);
  const providers = await deleteAllProviderLinks(db, userId);
  return { hadCodes, passkeys: await allPasskeys.run(db, [userId]), providers };
}
