import { column, defineCommand, defineQuery, type Queryable, type RowOf } from "@workspace/db";
import type { ApiKeyScope } from "../../platform/resources.ts";
import { LOST_EVENT, REMINDER_EVENT } from "./webhook-events.ts";

const matches = (kind: string, action: string): string =>
  `(${kind} || '.' || ${action} = ANY (w.events) OR ${kind} || '.*' = ANY (w.events))`;

const newDeliveries = defineCommand({
  name: "insert-webhook-deliveries",
  text: `
    WITH w AS (
      -- Another process that does the same waits here, and then sees how far this one has come.
      SELECT id, events, last_seq FROM webhooks WHERE is_enabled AND last_seq < $1 ORDER BY id FOR UPDATE
    ),
    added AS (
      INSERT INTO webhook_deliveries (id, webhook_id, type, resource_id, resource_name, occurred_at)
      SELECT gen_random_uuid(), w.id,
        CASE WHEN e.resource = 'gap' OR $1 - w.last_seq > $2 THEN '${LOST_EVENT}' ELSE e.resource || '.' || e.action END,
        CASE WHEN e.resource = 'gap' THEN '*' ELSE e.resource_id END, e.resource_name, e.created_at
      FROM w JOIN change_events e ON e.seq <= $1 AND e.seq > CASE WHEN $1 - w.last_seq > $2 THEN $1 - 1 ELSE w.last_seq END
      WHERE e.resource = 'gap' OR $1 - w.last_seq > $2 OR (e.action <> 'remind' AND ${matches("e.resource", "e.action")})
      ORDER BY e.seq
    )
    UPDATE webhooks SET last_seq = $1 FROM w WHERE webhooks.id = w.id`,
});

/**
 * Stores a delivery for each webhook and each change that it wants, up to a sequence number of the log, once. One that is further
 * behind than the log surely reaches is told that it has missed some.
 */
export async function insertDeliveries(db: Queryable, upToSeq: number, maxBehind: number): Promise<void> {
  await newDeliveries.run(db, [upToSeq, maxBehind]);
}

const newReminderDeliveries = defineCommand({
  name: "insert-reminder-deliveries",
  text: `
    INSERT INTO webhook_deliveries (id, webhook_id, type, resource_id, resource_name, occurred_at, body)
    SELECT gen_random_uuid(), w.id, '${REMINDER_EVENT}', r.id, r.name, r.at, r.body
    FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::text[]) AS r (user_id, id, name, at, body)
    JOIN webhooks w ON w.creator_id = r.user_id AND w.is_enabled AND '${REMINDER_EVENT}' = ANY (w.events)
    ORDER BY r.at`,
});

/** A reminder for the webhooks of its person. */
export interface ReminderEvent {
  readonly userId: string;
  readonly id: string;
  readonly name: string;
  readonly at: string;
  readonly body: string;
}

/** To be called in the transaction that takes the reminders, so that none is lost. */
export async function insertReminderDeliveries(db: Queryable, reminders: readonly ReminderEvent[]): Promise<void> {
  await newReminderDeliveries.run(db, [
    reminders.map(({ userId }) => userId),
    reminders.map(({ id }) => id),
    reminders.map(({ name }) => name),
    reminders.map(({ at }) => at),
    reminders.map(({ body }) => body),
  ]);
}

const claimed = defineQuery({
  name: "claim-webhooks",
  row: { id: column.uuid },
  text: `
    WITH due AS (
      SELECT id FROM webhooks w
      WHERE is_enabled AND (claimed_until IS NULL OR claimed_until < now())
        AND (next_attempt_at IS NULL OR next_attempt_at <= now())
        AND EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending')
      FOR UPDATE SKIP LOCKED
    )
    UPDATE webhooks w SET claim_id = $1, claimed_until = now() + $2 * interval '1 ms' FROM due WHERE w.id = due.id
    RETURNING w.id`,
});

/** Takes the webhooks that have something to deliver now, so that no other process delivers to them until the claim ends. */
export async function claimWebhooks(db: Queryable, claimId: string, claimMs: number): Promise<string[]> {
  return (await claimed.all(db, [claimId, claimMs])).map(({ id }) => id);
}

const TARGET = {
  id: column.uuid,
  name: column.text,
  url: column.text,
  userId: column.uuid,
  userName: column.text,
  email: column.text,
  keyId: column.uuid.nullable,
  keyName: column.text.nullable,
  scopes: column.texts.as<ApiKeyScope[]>().nullable,
  folder: column.text.nullable,
  hasExpired: column.boolean.neverNull,
};
/** Where a webhook's deliveries go, and with whose authority their data is read. */
export type WebhookTarget = RowOf<typeof TARGET>;
const TARGET_COLUMNS = `w.id, w.name, w.url, u.id AS "userId", u.name AS "userName", u.email, k.id AS "keyId", k.name AS "keyName",
  k.scopes, k.folder, COALESCE(k.expires_at <= now(), false) AS "hasExpired"`;

const renewed = defineQuery({
  name: "renew-webhook-claim",
  row: TARGET,
  text: `
    UPDATE webhooks w SET claimed_until = now() + $3 * interval '1 ms'
    FROM webhooks own JOIN users u ON u.id = own.creator_id LEFT JOIN api_keys k ON k.id = own.api_key_id
    WHERE own.id = w.id AND w.id = $1 AND w.claim_id = $2 AND w.is_enabled
      AND (w.next_attempt_at IS NULL OR w.next_attempt_at <= now())
    RETURNING ${TARGET_COLUMNS}`,
});

/** Continues a claim; null if it has been lost, or there is nothing to do for now. */
export function renewClaim(
  db: Queryable,
  id: string,
  { claimId, claimMs }: { readonly claimId: string; readonly claimMs: number },
): Promise<WebhookTarget | null> {
  return renewed.first(db, [id, claimId, claimMs]);
}

const target = defineQuery({
  name: "select-webhook-target",
  row: TARGET,
  text: `
    SELECT ${TARGET_COLUMNS} FROM webhooks w JOIN users u ON u.id = w.creator_id LEFT JOIN api_keys k ON k.id = w.api_key_id
    WHERE w.id = $1`,
});

/** Returns null if there is no such webhook. */
export function selectTarget(db: Queryable, id: string): Promise<WebhookTarget | null> {
  return target.first(db, [id]);
}

const released = defineCommand({
  name: "release-webhook-claim",
  text: "UPDATE webhooks SET claim_id = NULL, claimed_until = NULL WHERE id = $1 AND claim_id = $2",
});

export async function releaseClaim(db: Queryable, id: string, claimId: string): Promise<void> {
  await released.run(db, [id, claimId]);
}

const PENDING = {
  id: column.uuid,
  type: column.text,
  resourceId: column.text,
  resourceName: column.text.nullable,
  occurredAt: column.timestamp,
  body: column.text.nullable,
  attempts: column.integer,
};
export type PendingDelivery = RowOf<typeof PENDING>;

const first = defineQuery({
  name: "select-pending-delivery",
  row: PENDING,
  text: `
    SELECT id, type, resource_id AS "resourceId", resource_name AS "resourceName", occurred_at AS "occurredAt", body, attempts
    FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending' ORDER BY number LIMIT 1`,
});

/** What is to be delivered next. */
export function selectFirstPending(db: Queryable, webhookId: string): Promise<PendingDelivery | null> {
  return first.first(db, [webhookId]);
}

const written = defineCommand({
  name: "set-delivery-body",
  text: "UPDATE webhook_deliveries SET body = $2 WHERE id = $1",
});

/** Before the first attempt, so that all attempts send the same. */
export async function setBody(db: Queryable, id: string, body: string): Promise<void> {
  await written.run(db, [id, body]);
}

const dropped = defineCommand({ name: "drop-delivery", text: "DELETE FROM webhook_deliveries WHERE id = $1" });

/** For an event of which the webhook may not learn. */
export async function dropDelivery(db: Queryable, id: string): Promise<void> {
  await dropped.run(db, [id]);
}

/** What came of an attempt. */
export interface Attempt {
  readonly status: "pending" | "delivered" | "failed";
  readonly responseStatus: number | null;
  readonly responseText: string | null;
  readonly problem: string | null;
}

const attempted = defineCommand({
  name: "record-delivery-attempt",
  text: `
    WITH recorded AS (
      UPDATE webhook_deliveries SET status = $2::webhook_delivery_status, attempts = attempts + 1, last_attempt_at = now(),
        response_status = $3, response_text = $4, problem = $5
      -- A person may have skipped it meanwhile.
      WHERE id = $1 AND (status = 'pending' OR $2 = 'delivered') RETURNING webhook_id
    )
    UPDATE webhooks w SET next_attempt_at = CASE WHEN $2 = 'pending' THEN now() + $6::float8 * interval '1 ms' END
    FROM recorded WHERE w.id = recorded.webhook_id`,
});

/** Records an attempt; if the delivery is pending still, the webhook is left alone for the given time. */
export async function recordAttempt(db: Queryable, id: string, attempt: Attempt, delayMs: number): Promise<void> {
  const { status, responseStatus, responseText, problem } = attempt;
  await attempted.run(db, [id, status, responseStatus, responseText, problem, delayMs]);
}

const disabled = defineQuery({
  name: "disable-webhook",
  row: { name: column.text, creatorId: column.uuid },
  text: `
    UPDATE webhooks SET is_enabled = false, disabled_reason = $2, next_attempt_at = NULL WHERE id = $1 AND is_enabled
    RETURNING name, creator_id AS "creatorId"`,
});

/** Returns null if it was off already, or does not exist. */
export function disableWebhook(
  db: Queryable,
  id: string,
  reason: string,
): Promise<{ name: string; creatorId: string } | null> {
  return disabled.first(db, [id, reason]);
}

const allDisabled = defineCommand({
  name: "disable-webhooks",
  text: `
    WITH failed AS (
      UPDATE webhook_deliveries SET status = 'failed', problem = COALESCE(problem, $1) WHERE status = 'pending'
    )
    UPDATE webhooks SET is_enabled = false, disabled_reason = $1, next_attempt_at = NULL WHERE is_enabled`,
});

/** Turns off every webhook, and gives up what is pending. Returns how many were on. */
export function disableAllWebhooks(db: Queryable, reason: string): Promise<number> {
  return allDisabled.run(db, [reason]);
}

const abandoned = defineCommand({
  name: "fail-pending-deliveries",
  text: `
    UPDATE webhook_deliveries SET status = 'failed', problem = COALESCE(problem, $2) WHERE webhook_id = $1 AND status = 'pending'`,
});

/** Gives up what is pending; it can be replayed. */
export async function failPending(db: Queryable, webhookId: string, problem: string): Promise<void> {
  await abandoned.run(db, [webhookId, problem]);
}

const overfull = defineQuery({
  name: "select-overfull-webhooks",
  row: { id: column.uuid },
  text: `
    SELECT w.id FROM webhooks w WHERE w.is_enabled AND EXISTS (
      SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending' OFFSET $1)`,
});

/** The webhooks for which more deliveries wait. */
export async function selectOverfull(db: Queryable, most: number): Promise<string[]> {
  return (await overfull.all(db, [most])).map(({ id }) => id);
}

const old = defineCommand({
  name: "delete-old-deliveries",
  text: `
    DELETE FROM webhook_deliveries d WHERE d.status <> 'pending' AND (d.occurred_at < now() - $1 * interval '1 day'
      OR d.number < (SELECT number FROM webhook_deliveries o WHERE o.webhook_id = d.webhook_id ORDER BY number DESC OFFSET $2 LIMIT 1))`,
});

/** Deletes deliveries that are done and older than some days, or not among the newest of their webhook. */
export async function deleteOldDeliveries(db: Queryable, days: number, kept: number): Promise<void> {
  await old.run(db, [days, kept]);
}
