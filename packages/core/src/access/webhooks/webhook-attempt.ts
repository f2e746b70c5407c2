import type { Db } from "@workspace/db";
import type { Clock } from "../../platform/clock.ts";
import type { Redactor } from "../../platform/redactor.ts";
import type { EncryptionKeys } from "../secrets/encryption-keys.ts";
import { openSecret, SecretBoxError } from "../secrets/secret-box.ts";
import { selectSealedSetting } from "../secrets/sealed-setting.queries.ts";
import { sendWebhook, signatureHeaders, type WebhookResponse } from "./webhook-request.ts";

/** How much of a response is kept. */
const MAX_KEPT = 500;
const GONE = 410;

/** What came of one request. */
export interface AttemptOutcome {
  readonly isDelivered: boolean;
  readonly responseStatus: number | null;
  readonly responseText: string | null;
  readonly problem: string | null;
  /** Why the webhook is to be turned off at once; null if it is not. */
  readonly end: string | null;
}

export interface AttemptDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly keys: EncryptionKeys;
  readonly redactor: Redactor;
  /** Ends what is being sent. */
  readonly signal: AbortSignal;
}

/** The name under which the secret of a webhook is sealed. */
export function secretNameOf(webhookId: string): string {
  return `webhook.${webhookId}`;
}

/** Signs a message with the webhook's secret, sends it, and judges the response: only a status of 200 to 299 is a success. */
export async function attemptDelivery(
  { db, clock, keys, redactor, signal }: AttemptDeps,
  { webhookId, url, id, body }: { webhookId: string; url: string; id: string; body: string },
): Promise<AttemptOutcome> {
  const secret = await findSecret(db, keys, webhookId);
  if (secret === null) return notSent("Its secret was lost with the encryption key. Make a new one.");
  const headers = signatureHeaders(secret, { id, at: clock.now(), body });
  return judge(await sendWebhook(url, { headers, body, signal }), redactor);
}

async function findSecret(db: Db, keys: EncryptionKeys, webhookId: string): Promise<string | null> {
  const name = secretNameOf(webhookId);
  const envelope = await selectSealedSetting(db.pool, name);
  try {
    return envelope === null ? null : openSecret(keys.find, name, envelope);
  } catch (error) {
    if (error instanceof SecretBoxError && error.reason === "unknown_key") return null;
    throw error;
  }
}

function notSent(problem: string): AttemptOutcome {
  return { isDelivered: false, responseStatus: null, responseText: null, problem, end: problem };
}

function judge(response: WebhookResponse, redactor: Redactor): AttemptOutcome {
  if (response.status === null)
    return { isDelivered: false, responseStatus: null, responseText: null, problem: response.problem, end: null };
  const { status, text, location } = response;
  const isDelivered = status >= 200 && status < 300;
  const end = status === GONE ? "The receiver responded with 410: it wants no more events." : null;
  const redirect = location === null ? "" : ` It redirects to ${location}, which is not followed.`;
  const problem = isDelivered ? null : toKept(redactor, `The receiver responded with ${status}.${redirect}`);
  return { isDelivered, responseStatus: status, responseText: toKept(redactor, text), problem, end };
}

/** The beginning of a text from outside, as PostgreSQL can store it and without the values of secrets. */
function toKept(redactor: Redactor, text: string): string {
  return redactor.redact(text).replaceAll("\0", "").slice(0, MAX_KEPT).toWellFormed();
}
