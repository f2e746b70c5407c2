import { column, defineCommand, defineQuery, WebhookDeliveryStatus, type Queryable } from "@workspace/db";
import type { PageRange } from "../../platform/paging.ts";
import { TEST_EVENT } from "./webhook-events.ts";
import type { Attempt } from "./webhook-queue.queries.ts";
import type { OpenWebhookDelivery, WebhookDelivery } from "./webhook.schema.ts";

const DELIVERY = {
  id: column.uuid,
  type: column.text,
  resourceId: column.text,
  resourceName: column.text.nullable,
  occurredAt: column.timestamp,
  status: column.oneOf(WebhookDeliveryStatus),
  attempts: column.integer,
  lastAttemptAt: column.timestamp.nullable,
  responseStatus: column.integer.nullable,
  responseText: column.text.nullable,
  problem: column.text.nullable,
};
const COLUMNS = `id, type, resource_id AS "resourceId", resource_name AS "resourceName", occurred_at AS "occurredAt", status, attempts,
  last_attempt_at AS "lastAttemptAt", response_status AS "responseStatus", response_text AS "responseText", problem`;

const deliveries = defineQuery({
  name: "select-webhook-deliveries",
  row: { ...DELIVERY, number: column.safeInteger },
  text: `
    SELECT ${COLUMNS}, number FROM webhook_deliveries
    WHERE webhook_id = $1 AND ($2::text IS NULL OR status::text = $2) AND ($3::bigint IS NULL OR number < $3)
    ORDER BY number DESC LIMIT $4`,
});

/** Those of a webhook, the latest first, with their numbers. */
export function selectDeliveries(
  db: Queryable,
  { webhookId, status }: { readonly webhookId: string; readonly status: string | undefined },
  { limit, after }: PageRange<[number]>,
): Promise<(WebhookDelivery & { number: number })[]> {
  return deliveries.all(db, [webhookId, status, after?.[0], limit]);
}

const delivery = defineQuery({
  name: "select-webhook-delivery",
  row: { ...DELIVERY, body: column.text.nullable },
  text: `SELECT ${COLUMNS}, body FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2`,
});

/** Returns null if there is none. */
export function selectDelivery(db: Queryable, webhookId: string, id: string): Promise<OpenWebhookDelivery | null> {
  return delivery.first(db, [webhookId, id]);
}

const replayed = defineCommand({
  name: "replay-delivery",
  text: `
    WITH replayed AS (
      UPDATE webhook_deliveries SET status = 'pending', attempts = 0 WHERE webhook_id = $1 AND id = $2 RETURNING id
    )
    UPDATE webhooks SET next_attempt_at = NULL FROM replayed WHERE webhooks.id = $1`,
});

/** Makes a delivery pending again; if it is already, it is attempted now. */
export async function replayDelivery(db: Queryable, webhookId: string, id: string): Promise<void> {
  await replayed.run(db, [webhookId, id]);
}

const replayedFailed = defineQuery({
  name: "replay-failed-deliveries",
  row: { count: column.integer.neverNull },
  text: `
    WITH replayed AS (
      UPDATE webhook_deliveries SET status = 'pending', attempts = 0
      WHERE webhook_id = $1 AND status = 'failed' AND occurred_at >= $2 AND type <> '${TEST_EVENT}' RETURNING id
    ),
    resumed AS (UPDATE webhooks SET next_attempt_at = NULL WHERE id = $1)
    SELECT count(*)::integer AS count FROM replayed`,
});

/** Makes those that have failed pending again. Returns how many. */
export async function replayFailed(db: Queryable, webhookId: string, since: Date): Promise<number> {
  return (await replayedFailed.one(db, [webhookId, since])).count;
}

const skipped = defineCommand({
  name: "skip-delivery",
  text: `
    WITH skipped AS (
      UPDATE webhook_deliveries SET status = 'failed', problem = COALESCE(problem, 'It was skipped.')
      WHERE webhook_id = $1 AND id = $2 AND status = 'pending' RETURNING id
    )
    UPDATE webhooks SET next_attempt_at = NULL FROM skipped WHERE webhooks.id = $1`,
});

/** Gives up a pending delivery, so that the next one is attempted. Returns false if it was not pending. */
export async function skipDelivery(db: Queryable, webhookId: string, id: string): Promise<boolean> {
  return (await skipped.run(db, [webhookId, id])) === 1;
}

const newAttempted = defineCommand({
  name: "insert-attempted-delivery",
  text: `
    INSERT INTO webhook_deliveries (id, webhook_id, type, resource_id, resource_name, occurred_at, body, status, attempts, last_attempt_at,
      response_status, response_text, problem)
    SELECT $1, id, $3, id, name, $4, $5, $6::webhook_delivery_status, 1, now(), $7, $8, $9 FROM webhooks WHERE id = $2`,
});

/** Stores a test, which was made at once. */
export async function insertTest(
  db: Queryable,
  test: {
    readonly id: string;
    readonly webhookId: string;
    readonly type: string;
    readonly at: Date;
    readonly body: string;
  },
  { status, responseStatus, responseText, problem }: Attempt,
): Promise<void> {
  const { id, webhookId, type, at, body } = test;
  await newAttempted.run(db, [id, webhookId, type, at, body, status, responseStatus, responseText, problem]);
}

const deliveryCounts = defineQuery({
  name: "count-webhook-deliveries",
  row: {
    pending: column.safeInteger.neverNull,
    delivered: column.safeInteger.neverNull,
    failed: column.safeInteger.neverNull,
  },
  text: `
    SELECT count(*) FILTER (WHERE status = 'pending') AS pending,
      count(*) FILTER (WHERE status = 'delivered' AND last_attempt_at > now() - interval '1 hour') AS delivered,
      count(*) FILTER (WHERE status = 'failed' AND last_attempt_at > now() - interval '1 hour') AS failed
    FROM webhook_deliveries`,
});

/** How many deliveries wait now, and how many were delivered or given up within the last hour, of all processes. */
export interface DeliveryCounts {
  readonly pending: number;
  readonly delivered: number;
  readonly failed: number;
}

export function countDeliveries(db: Queryable): Promise<DeliveryCounts> {
  return deliveryCounts.one(db, []);
}
