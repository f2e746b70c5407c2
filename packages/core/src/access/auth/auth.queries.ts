import { column, defineCommand, defineQuery, type Pool, type Queryable } from "@workspace/db";
import type { UserPrincipal } from "../../platform/procedures/principal.ts";

/** A stored session and the user behind it. */
export interface SessionRecord {
  readonly sessionId: string;
  readonly expiresAt: string;
  /** Whether it is the first user of the workspace, who was not signed up. */
  readonly isFirstUser: boolean;
  readonly user: UserPrincipal;
}

const sessionByToken = defineQuery({
  name: "select-session",
  row: {
    sessionId: column.uuid,
    expiresAt: column.timestamp,
    userId: column.uuid,
    name: column.text,
    email: column.text,
    isFirstUser: column.boolean.neverNull,
  },
  isPrepared: true,
  text: `
    SELECT s.id AS "sessionId", s.expires_at AS "expiresAt", u.id AS "userId", u.name, u.email,
      u.id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1) AS "isFirstUser"
    FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token = $1`,
});

/** The session with this token, expired or not; null if there is none. */
export async function selectSession(pool: Pool, token: string): Promise<SessionRecord | null> {
  const row = await sessionByToken.first(pool, [token]);
  if (row === null) return null;
  const { sessionId, expiresAt, isFirstUser, userId, name, email } = row;
  return { sessionId, expiresAt, isFirstUser, user: { kind: "user", userId, name, email, sessionId } };
}

const USER = { userId: column.uuid, name: column.text, email: column.text };

const firstUser = defineQuery({
  name: "select-first-user",
  row: USER,
  isPrepared: true,
  text: `SELECT id AS "userId", name, email FROM users ORDER BY created_at, id LIMIT 1`,
});

/** The first user of the workspace, whom the API token authenticates; null before there is one. */
export async function selectFirstUser(pool: Pool): Promise<UserPrincipal | null> {
  const row = await firstUser.first(pool);
  return row === null ? null : { kind: "user", ...row };
}

const userById = defineQuery({
  name: "select-user-principal",
  row: USER,
  isPrepared: true,
  text: `SELECT id AS "userId", name, email FROM users WHERE id = $1`,
});

/** The user with this id, as the principal acting on their behalf; null if there is none. */
export async function selectUserPrincipal(pool: Pool, userId: string): Promise<UserPrincipal | null> {
  const row = await userById.first(pool, [userId]);
  return row === null ? null : { kind: "user", ...row };
}

const challengedUser = defineQuery({
  name: "select-challenged-user",
  row: { email: column.text },
  text: `
    SELECT u.email FROM verifications v JOIN users u ON u.id::text = v.value
    WHERE v.identifier = $1 AND v.expires_at > now()
      AND NOT EXISTS (SELECT FROM accounts a WHERE a.user_id = u.id AND a.provider_id = 'credential' AND a.updated_at > v.created_at)
    ORDER BY v.created_at DESC LIMIT 1`,
});

/**
 * The email of the user whom a challenge asks for a code; null if there is none, it has expired, or the password with which it was
 * made has been changed since.
 */
export async function selectChallengedUser(pool: Pool, challenge: string): Promise<string | null> {
  return (await challengedUser.first(pool, [challenge]))?.email ?? null;
}

const userChallenges = defineCommand({
  name: "delete-user-challenges",
  text: "DELETE FROM verifications WHERE value = $1::text",
});

/** Ends what a user has begun and not completed: sign-ins that wait for a code, and mails with which a password can be set. */
export async function deleteUserChallenges(db: Queryable, userId: string): Promise<void> {
  await userChallenges.run(db, [userId]);
}

const password = defineQuery({
  name: "lock-password",
  row: { hash: column.text.nullable },
  text: `
    SELECT a.password AS hash FROM accounts a JOIN users u ON u.id = a.user_id
    WHERE lower(u.email) = lower($1) AND a.provider_id = 'credential' FOR SHARE OF a`,
});

/** The hash of the password that belongs to an email; null if there is none. Waits for whoever is replacing it. */
export async function lockPassword(db: Queryable, email: string): Promise<string | null> {
  return (await password.first(db, [email]))?.hash ?? null;
}
