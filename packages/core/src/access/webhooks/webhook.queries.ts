import { column, defineCommand, defineQuery, type Pool, type Queryable } from "@workspace/db";
import { NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { PageRange, TimeAndId } from "../../platform/paging.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import type { DeletedWebhook, Webhook } from "./webhook.schema.ts";

/** Whose webhooks: a user's, or only those that a key has created. */
export interface WebhookOwner {
  readonly userId: string;
  readonly keyId: string | null;
}

/** A key sees the webhooks that it has created; a user also those of the own keys. */
export function ownerOf(principal: Principal): WebhookOwner {
  return { userId: principal.userId, keyId: principal.kind === "api_key" ? principal.keyId : null };
}

const IS_OWN = "w.creator_id = $1 AND ($2::uuid IS NULL OR w.api_key_id = $2)";
/** How many pending deliveries are counted. */
const MAX_COUNTED = 1000;
const WEBHOOK = {
  id: column.uuid,
  name: column.text,
  url: column.text,
  events: column.texts.neverNull,
  isEnabled: column.boolean,
  disabledReason: column.text.nullable,
  keyId: column.uuid.nullable,
  keyName: column.text.nullable,
  pending: column.integer.neverNull,
  nextAttemptAt: column.timestamp.nullable,
  createdAt: column.timestamp,
};
const SELECT = `
  SELECT w.id, w.name, w.url, w.events, w.is_enabled AS "isEnabled", w.disabled_reason AS "disabledReason",
    k.id AS "keyId", k.name AS "keyName", w.next_attempt_at AS "nextAttemptAt", w.created_at AS "createdAt",
    (SELECT count(*) FROM (
      SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND d.status = 'pending' LIMIT ${MAX_COUNTED}
    ) AS counted)::integer AS pending
  FROM webhooks w LEFT JOIN api_keys k ON k.id = w.api_key_id`;

type WebhookRow = Omit<Webhook, "apiKey"> & { keyId: string | null; keyName: string | null };

function toWebhook({ keyId, keyName, ...webhook }: WebhookRow): Webhook {
  return { ...webhook, apiKey: keyId === null || keyName === null ? null : { id: keyId, name: keyName } };
}

const webhooks = defineQuery({
  name: "select-webhooks",
  row: WEBHOOK,
  text: `${SELECT}
    WHERE ${IS_OWN} AND ($4::uuid IS NULL OR (w.created_at, w.id) < ($3::timestamptz, $4))
    ORDER BY w.created_at DESC, w.id DESC LIMIT $5`,
});

/** Newest first. */
export async function selectWebhooks(
  pool: Pool,
  { userId, keyId }: WebhookOwner,
  { limit, after }: PageRange<TimeAndId>,
): Promise<Webhook[]> {
  return (await webhooks.all(pool, [userId, keyId, after?.[0], after?.[1], limit])).map(toWebhook);
}

const webhook = defineQuery({
  name: "select-webhook",
  row: WEBHOOK,
  text: `${SELECT} WHERE ${IS_OWN} AND w.id = $3`,
});

async function selectWebhook(db: Queryable, { userId, keyId }: WebhookOwner, id: string): Promise<Webhook | null> {
  const row = await webhook.first(db, [userId, keyId, id]);
  return row === null ? null : toWebhook(row);
}

/** Throws {@link NotFoundError} if there is none. */
export async function requireWebhook(db: Queryable, owner: WebhookOwner, id: string): Promise<Webhook> {
  const found = isUuid(id) ? await selectWebhook(db, owner, id) : null;
  if (found === null) throw new NotFoundError("There is no such webhook.");
  return found;
}

export interface NewWebhook extends WebhookOwner {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly createdAt: Date;
}

/** The last change of the log: a webhook gets those that come later. */
const LAST_CHANGE = "(SELECT COALESCE(max(seq), 0) FROM change_events)";

const newWebhook = defineCommand({
  name: "insert-webhook",
  text: `
    INSERT INTO webhooks (id, name, url, events, creator_id, api_key_id, last_seq, created_at)
    SELECT $1, $2, $3, $4, $5, $6, ${LAST_CHANGE}, $7
    WHERE (SELECT count(*) FROM webhooks) < $8`,
});

/** Returns false if there are as many as there can be. */
export async function insertWebhook(db: Queryable, given: NewWebhook, most: number): Promise<boolean> {
  const { id, name, url, events, userId, keyId, createdAt } = given;
  return (await newWebhook.run(db, [id, name, url, events, userId, keyId, createdAt, most])) === 1;
}

const changedWebhook = defineCommand({
  name: "update-webhook",
  text: `
    UPDATE webhooks w SET name = COALESCE($4, name), url = COALESCE($5, url), events = COALESCE($6::text[], events),
      is_enabled = COALESCE($7, is_enabled), disabled_reason = CASE WHEN $7 IS NULL THEN disabled_reason END,
      -- What is wrong may have just been mended.
      next_attempt_at = NULL,
      last_seq = CASE WHEN $7 AND NOT is_enabled THEN ${LAST_CHANGE} ELSE last_seq END
    WHERE ${IS_OWN} AND w.id = $3`,
});

export interface WebhookChange {
  readonly id: string;
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly events?: readonly string[] | undefined;
  readonly isEnabled?: boolean | undefined;
}

/** Changes the given fields. One that is turned on gets what happens from then on. */
export async function updateWebhook(
  db: Queryable,
  { userId, keyId }: WebhookOwner,
  { id, name, url, events, isEnabled }: WebhookChange,
): Promise<void> {
  await changedWebhook.run(db, [userId, keyId, id, name, url, events, isEnabled]);
}

const deletedWebhook = defineQuery({
  name: "delete-webhook",
  row: { id: column.uuid, name: column.text },
  text: `DELETE FROM webhooks w WHERE ${IS_OWN} AND w.id = $3 RETURNING id, name`,
});

/** Returns null if there is none. */
export function deleteWebhook(db: Queryable, owner: WebhookOwner, id: string): Promise<DeletedWebhook | null> {
  return deletedWebhook.first(db, [owner.userId, owner.keyId, id]);
}

const enabledWebhook = defineCommand({
  name: "select-enabled-webhook",
  text: "SELECT FROM webhooks WHERE is_enabled LIMIT 1",
});

/** Whether any webhook is on. */
export async function hasEnabledWebhook(db: Queryable): Promise<boolean> {
  return (await enabledWebhook.run(db)) === 1;
}
