import { transaction } from "@workspace/db";
import type { Deps } from "../../platform/deps.ts";
import type { PushMessage } from "../push/push-delivery.ts";
import { MAX_PUSHED_CALL, shortened } from "../push/pushed-text.ts";
import { pauseAfter } from "../../platform/retry-pause.ts";
import { attemptDelivery, type AttemptDeps, type AttemptOutcome } from "./webhook-attempt.ts";
import { writeBody, type PayloadDeps } from "./webhook-payload.ts";
import {
  disableWebhook,
  dropDelivery,
  failPending,
  recordAttempt,
  setBody,
  type PendingDelivery,
  type WebhookTarget,
} from "./webhook-queue.queries.ts";

const PUSH_TTL_S = 24 * 60 * 60;

export interface WebhookDelivererDeps extends Deps<"db" | "logger">, PayloadDeps, AttemptDeps {
  /** Sends a message to the devices of these users. */
  readonly notify: (message: PushMessage, userIds: readonly string[]) => void;
}

/** Makes single deliveries, and turns webhooks off. */
export function createWebhookDeliverer(deps: WebhookDelivererDeps) {
  const { db, logger, notify, signal } = deps;

  /** Attempts a delivery, and records what came of it. */
  async function deliver(target: WebhookTarget, delivery: PendingDelivery): Promise<void> {
    const { id: webhookId, url } = target;
    const body = delivery.body ?? (await writeBody(deps, target, delivery));
    if (body === null) return dropDelivery(db.pool, delivery.id);
    if (delivery.body === null) await setBody(db.pool, delivery.id, body);
    const outcome = await attemptDelivery(deps, { webhookId, url, id: delivery.id, body });
    // A server that stops has cut it off, which says nothing about the receiver.
    if (!outcome.isDelivered && signal.aborted) return;
    await record(target, delivery, outcome);
  }

  async function record(target: WebhookTarget, delivery: PendingDelivery, outcome: AttemptOutcome): Promise<void> {
    const { isDelivered, end: endReason, ...response } = outcome;
    if (isDelivered) return recordAttempt(db.pool, delivery.id, { ...response, status: "delivered" }, 0);
    const pauseMs = pauseAfter(delivery.attempts + 1, Math.random());
    const reason = endReason ?? (pauseMs === null ? `It failed for more than a day. ${response.problem ?? ""}` : null);
    const status = reason === null ? "pending" : "failed";
    await recordAttempt(db.pool, delivery.id, { ...response, status }, pauseMs ?? 0);
    if (reason !== null) await end(target.id, reason);
  }

  /** Turns a webhook off, and lets its user know. */
  async function end(webhookId: string, reason: string): Promise<void> {
    const disabled = await transaction(db.pool, async (client) => {
      const ended = await disableWebhook(client, webhookId, reason.trim());
      if (ended !== null) await failPending(client, webhookId, "The webhook was turned off.");
      return ended;
    });
    if (disabled === null) return;
    logger.warn({ webhook: webhookId, reason }, "a webhook was turned off");
    notify(
      {
        title: `Webhook turned off: ${shortened(deps.redactor.redact(disabled.name), MAX_PUSHED_CALL)}`,
        body: shortened(reason, MAX_PUSHED_CALL),
        path: "/settings?view=webhooks",
        tag: `webhook-${webhookId}`,
        ttlS: PUSH_TTL_S,
      },
      [disabled.creatorId],
    );
  }

  return { deliver, end };
}
