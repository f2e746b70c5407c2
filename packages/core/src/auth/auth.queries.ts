import type { Pool } from "@workspace/db";
import type { UserPrincipal } from "../platform/principal.ts";

/** A stored session and the user behind it. */
export interface SessionRecord {
  readonly sessionId: string;
  readonly expiresAt: string;
  readonly user: UserPrincipal;
}

/** The session with this token, expired or not; null where there is none. */
export async function selectSession(pool: Pool, token: string): Promise<SessionRecord | null> {
  const { rows } = await pool.query<{
    sessionId: string;
    expiresAt: string;
    userId: string;
    name: string;
    email: string;
  }>({
    name: "select-session",
    text: `
      SELECT s.id AS "sessionId", s.expires_at AS "expiresAt", u.id AS "userId", u.name, u.email
      FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token = $1`,
    values: [token],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { sessionId, expiresAt, userId, name, email } = row;
  return { sessionId, expiresAt, user: { kind: "user", userId, name, email } };
}

/** The first user of the workspace, whom the API token stands for; null before there is one. */
export async function selectFirstUser(pool: Pool): Promise<UserPrincipal | null> {
  const { rows } = await pool.query<Omit<UserPrincipal, "kind">>({
    name: "select-first-user",
    text: `SELECT id AS "userId", name, email FROM users ORDER BY created_at, id LIMIT 1`,
  });
  const [row] = rows;
  return row === undefined ? null : { kind: "user", ...row };
}

/** The user with this id, as who acts in their name; null where there is none. */
export async function selectUserPrincipal(pool: Pool, userId: string): Promise<UserPrincipal | null> {
  const { rows } = await pool.query<Omit<UserPrincipal, "kind">>({
    name: "select-user-principal",
    text: `SELECT id AS "userId", name, email FROM users WHERE id = $1`,
    values: [userId],
  });
  const [row] = rows;
  return row === undefined ? null : { kind: "user", ...row };
}
