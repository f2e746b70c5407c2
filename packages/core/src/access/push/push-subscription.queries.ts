import { column, defineCommand, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { PushDevice } from "./push.schema.ts";

const TARGET = { id: column.uuid, endpoint: column.text, p256dh: column.text, auth: column.text };
const TARGET_COLUMNS = "p.id, p.endpoint, p.p256dh, p.auth";

/** Where to send messages to a browser, and the keys that it decrypts them with. */
export type PushTarget = Readonly<RowOf<typeof TARGET>>;

const otherOfBrowser = defineCommand({
  name: "delete-other-push-subscriptions",
  text: "DELETE FROM push_subscriptions WHERE endpoint = $2 AND session_id <> $1",
});

const newSubscription = defineQuery({
  name: "put-push-subscription",
  row: { id: column.uuid },
  text: `
    INSERT INTO push_subscriptions (id, session_id, endpoint, p256dh, auth, created_at)
    SELECT $1::uuid, id, $3, $4, $5, $6::timestamptz FROM sessions WHERE id = $2
    ON CONFLICT (session_id) DO UPDATE SET endpoint = $3, p256dh = $4, auth = $5, created_at = $6
    RETURNING id`,
});

/**
 * Stores the subscription of a session's browser, which has no other one then, and returns its id; null if the session has ended.
 * To be called in a transaction.
 */
export async function putPushSubscription(
  db: Queryable,
  subscription: PushTarget & { readonly sessionId: string; readonly createdAt: Date },
): Promise<string | null> {
  const { id, sessionId, endpoint, p256dh, auth, createdAt } = subscription;
  await otherOfBrowser.run(db, [sessionId, endpoint]);
  return (await newSubscription.first(db, [id, sessionId, endpoint, p256dh, auth, createdAt]))?.id ?? null;
}

const surplus = defineCommand({
  name: "delete-surplus-push-subscriptions",
  text: `
    DELETE FROM push_subscriptions WHERE id IN (
      SELECT p.id FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
      WHERE s.user_id = $1 ORDER BY p.created_at DESC, p.id DESC OFFSET $2)`,
});

/** Deletes the oldest subscriptions of a user. */
export async function deletePushSubscriptionsBeyond(db: Queryable, userId: string, kept: number): Promise<void> {
  await surplus.run(db, [userId, kept]);
}

const devices = defineQuery({
  name: "select-push-devices",
  row: {
    id: column.uuid,
    isThisOne: column.boolean.neverNull,
    userAgent: column.text.nullable,
    createdAt: column.timestamp,
  },
  text: `
    SELECT p.id, p.session_id = $2 AS "isThisOne", s.user_agent AS "userAgent", p.created_at AS "createdAt"
    FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
    WHERE s.user_id = $1 AND s.expires_at > $3 AND ($5::uuid IS NULL OR (p.created_at, p.id) < ($4::timestamptz, $5))
    ORDER BY p.created_at DESC, p.id DESC LIMIT $6`,
});

/** The browsers of a user that get messages, newest first. */
export function selectPushDevices(
  db: Queryable,
  { userId, sessionId, now }: { readonly userId: string; readonly sessionId: string; readonly now: Date },
  { after, limit }: PageRange<TimeAndId>,
): Promise<PushDevice[]> {
  return devices.all(db, [userId, sessionId, now, after?.[0], after?.[1], limit]);
}

const targetById = defineQuery({
  name: "select-push-target",
  row: TARGET,
  text: `
    SELECT ${TARGET_COLUMNS} FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
    WHERE p.id = $1 AND s.user_id = $2 AND s.expires_at > $3`,
});

/** Null if the user has no such subscription. */
export function selectPushTarget(
  db: Queryable,
  { id, userId, now }: { readonly id: string; readonly userId: string; readonly now: Date },
): Promise<PushTarget | null> {
  return targetById.first(db, [id, userId, now]);
}

const targets = defineQuery({
  name: "select-push-targets",
  row: TARGET,
  text: `
    SELECT ${TARGET_COLUMNS} FROM push_subscriptions p JOIN sessions s ON s.id = p.session_id
    WHERE s.expires_at > $1 AND ($3::uuid[] IS NULL OR s.user_id = ANY($3))
    ORDER BY p.created_at DESC, p.id DESC LIMIT $2`,
});

/** The browsers of these users, or of all with null, whose sessions have not ended. */
export function selectPushTargets(
  db: Queryable,
  { userIds, now, limit }: { readonly userIds: readonly string[] | null; readonly now: Date; readonly limit: number },
): Promise<PushTarget[]> {
  return targets.all(db, [now, limit, userIds]);
}

const deletedSubscription = defineCommand({
  name: "delete-push-subscription",
  text: `
    DELETE FROM push_subscriptions p USING sessions s WHERE s.id = p.session_id AND p.id = $1 AND s.user_id = $2`,
});

/** Returns false if the user has no such subscription. */
export async function deletePushSubscription(db: Queryable, id: string, userId: string): Promise<boolean> {
  return (await deletedSubscription.run(db, [id, userId])) === 1;
}

const goneSubscription = defineCommand({
  name: "delete-gone-push-subscription",
  text: "DELETE FROM push_subscriptions WHERE id = $1 AND endpoint = $2",
});

/** Deletes a subscription that its push service no longer knows. */
export async function deleteGonePushSubscription(db: Queryable, { id, endpoint }: PushTarget): Promise<void> {
  await goneSubscription.run(db, [id, endpoint]);
}

const allSubscriptions = defineCommand({ name: "delete-push-subscriptions", text: "DELETE FROM push_subscriptions" });

export async function deleteAllPushSubscriptions(db: Queryable): Promise<void> {
  await allSubscriptions.run(db);
}
