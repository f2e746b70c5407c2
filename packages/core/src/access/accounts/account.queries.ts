import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import {
  FAILED_SIGN_INS,
  SIGN_IN_OUTCOMES,
  type AccountSession,
  type Member,
  type Passkey,
  type SignIn,
  type SignInOutcome,
} from "./account.schema.ts";

const liveSessions = defineQuery({
  name: "select-account-sessions",
  row: {
    id: column.uuid,
    isCurrent: column.boolean.neverNull,
    address: column.text.nullable,
    userAgent: column.text.nullable,
    createdAt: column.timestamp,
    renewedAt: column.timestamp,
    expiresAt: column.timestamp,
  },
  text: `
    SELECT id, COALESCE(id = $2::uuid, false) AS "isCurrent", ip_address AS address, user_agent AS "userAgent",
      created_at AS "createdAt", updated_at AS "renewedAt", expires_at AS "expiresAt"
    FROM sessions WHERE user_id = $1 AND expires_at > $3
      AND ($4::timestamptz IS NULL OR (created_at, id) < ($4, $5::uuid))
    ORDER BY created_at DESC, id DESC LIMIT $6`,
});

/** Sessions of a user that have not ended, newest first. */
export function selectAccountSessions(
  db: Queryable,
  { userId, sessionId, now }: { readonly userId: string; readonly sessionId: string | null; readonly now: Date },
  { limit, after }: PageRange<TimeAndId>,
): Promise<AccountSession[]> {
  return liveSessions.all(db, [userId, sessionId, now, after?.[0], after?.[1], limit]);
}

const endedSession = defineCommand({
  name: "delete-account-session",
  text: "DELETE FROM sessions WHERE user_id = $1 AND id = $2",
});

/** Ends a session in every process, by a trigger. Returns whether there was one. */
export async function deleteAccountSession(db: Queryable, userId: string, id: string): Promise<boolean> {
  return (await endedSession.run(db, [userId, id])) === 1;
}

const otherSessions = defineCommand({
  name: "delete-other-account-sessions",
  text: "DELETE FROM sessions WHERE user_id = $1 AND id <> $2",
});

/** Ends all sessions of a user except one, and returns how many. */
export function deleteOtherSessions(db: Queryable, userId: string, kept: string): Promise<number> {
  return otherSessions.run(db, [userId, kept]);
}

const isFailure = (outcome: SignInOutcome): boolean => FAILED_SIGN_INS.some((failure) => failure === outcome);
const toList = (outcomes: readonly SignInOutcome[]): string => outcomes.map((outcome) => `'${outcome}'`).join(", ");
/** SQL list of the outcomes of sign-ins that were refused. */
export const FAILURES = toList(FAILED_SIGN_INS);
const SUCCESSES = toList(SIGN_IN_OUTCOMES.filter((outcome) => !isFailure(outcome)));

const newSignIn = defineCommand({
  name: "insert-sign-in",
  text: `
    INSERT INTO sign_ins (id, user_id, outcome, ip_address, user_agent, created_at)
    SELECT $1::uuid, u.id, $3, $4, $5, $6::timestamptz FROM users u
    WHERE u.email = $2 AND ($3 NOT IN (${FAILURES}) OR (
      SELECT count(*) FROM sign_ins s
      WHERE s.user_id = u.id AND s.outcome IN (${FAILURES}) AND s.created_at > $6::timestamptz - interval '1 hour'
    ) < $7)`,
});

export interface NewSignIn {
  readonly id: string;
  readonly email: string;
  readonly outcome: SignInOutcome;
  readonly address: string;
  readonly userAgent: string | null;
  readonly createdAt: Date;
}

/** Records what happened to an account, unless there is none, or too many failures within an hour. */
export async function insertSignIn(db: Queryable, signIn: NewSignIn, maxFailuresAnHour: number): Promise<void> {
  const { id, email, outcome, address, userAgent, createdAt } = signIn;
  await newSignIn.run(db, [id, email, outcome, address, userAgent, createdAt, maxFailuresAnHour]);
}

const signIns = defineQuery({
  name: "select-sign-ins",
  row: {
    id: column.uuid,
    outcome: column.text.as<SignInOutcome>(),
    address: column.text.nullable,
    userAgent: column.text.nullable,
    createdAt: column.timestamp,
  },
  text: `
    SELECT id, outcome, ip_address AS address, user_agent AS "userAgent", created_at AS "createdAt"
    FROM sign_ins WHERE user_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
    ORDER BY created_at DESC, id DESC LIMIT $4`,
});

/** What happened to an account, newest first. */
export function selectSignIns(
  db: Queryable,
  userId: string,
  { limit, after }: PageRange<TimeAndId>,
): Promise<SignIn[]> {
  return signIns.all(db, [userId, after?.[0], after?.[1], limit]);
}

const members = defineQuery({
  name: "select-members",
  row: {
    id: column.uuid,
    name: column.text,
    email: column.text,
    isFirst: column.boolean.neverNull,
    createdAt: column.timestamp,
    lastSignInAt: column.timestamp.nullable,
  },
  text: `
    SELECT id, name, email, created_at AS "createdAt",
      id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1) AS "isFirst",
      (SELECT created_at FROM sign_ins s WHERE s.user_id = u.id AND outcome IN (${SUCCESSES})
       ORDER BY created_at DESC, id DESC LIMIT 1) AS "lastSignInAt"
    FROM users u WHERE $1::timestamptz IS NULL OR (created_at, id) > ($1, $2::uuid)
    ORDER BY created_at, id LIMIT $3`,
});

/** All users, the first one first. */
export function selectMembers(db: Queryable, { limit, after }: PageRange<TimeAndId>): Promise<Member[]> {
  return members.all(db, [after?.[0], after?.[1], limit]);
}

const passkeys = defineQuery({
  name: "select-passkeys",
  row: { id: column.uuid, name: column.text.neverNull, isSynced: column.boolean, createdAt: column.timestamp },
  text: `
    SELECT id, COALESCE(name, 'Passkey') AS name, backed_up AS "isSynced", created_at AS "createdAt"
    FROM passkeys WHERE user_id = $1 ORDER BY created_at, id LIMIT $2`,
});

/** The passkeys of a user, oldest first. */
export function selectPasskeys(db: Queryable, userId: string, limit: number): Promise<Passkey[]> {
  return passkeys.all(db, [userId, limit]);
}

const passwordUse = defineQuery({
  name: "select-password-use",
  row: { hasPassword: column.boolean.neverNull, needsCode: column.boolean, isLinked: column.boolean.neverNull },
  text: `
    SELECT two_factor_enabled AS "needsCode",
      EXISTS (SELECT FROM accounts WHERE user_id = u.id AND provider_id = 'credential') AS "hasPassword",
      EXISTS (SELECT FROM accounts WHERE user_id = u.id AND provider_id = $2) AS "isLinked"
    FROM users u WHERE id = $1`,
});

/** Whether a user signs in with a password, with a code besides it, and with this provider; null if there is no such user. */
export function selectPasswordUse(
  db: Queryable,
  userId: string,
  providerId: string | null,
): Promise<{ hasPassword: boolean; needsCode: boolean; isLinked: boolean } | null> {
  return passwordUse.first(db, [userId, providerId]);
}

const expiredVerifications = defineCommand({
  name: "delete-expired-verifications",
  text: "DELETE FROM verifications WHERE expires_at < $1",
});

/** Deletes what was between the steps of signing in, once its time is over. */
export async function deleteExpiredVerifications(db: Queryable, now: Date): Promise<void> {
  await expiredVerifications.run(db, [now]);
}
