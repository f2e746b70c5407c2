import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../../platform/deps.ts";
import { repeat, type Closable } from "../../platform/repeat.ts";
import { createSingleFlight } from "../../platform/single-flight.ts";
import type { ChangeLog } from "../../platform/realtime/change-log.ts";
import { createWebhookDeliverer, type WebhookDelivererDeps } from "./webhook-deliverer.ts";
import { hasEnabledWebhook } from "./webhook.queries.ts";
import {
  claimWebhooks,
  deleteOldDeliveries,
  insertDeliveries,
  releaseClaim,
  renewClaim,
  selectFirstPending,
  selectOverfull,
} from "./webhook-queue.queries.ts";

/** How often to look for what is to be retried, and for what other processes have left. */
const LOOK_EVERY_MS = 5_000;
/** Longer than an attempt can take. Afterwards, another process continues what a dead one has begun. */
const CLAIM_MS = 20_000;
const PRUNE_EVERY_MS = 60_000;
/** How long what is being sent may take while the process stops. Cut off, it would be sent again, and come twice. */
const STOP_GRACE_MS = 2_000;
/** A webhook for which more deliveries wait is turned off. */
const MAX_PENDING = 10_000;
const KEPT_DAYS = 7;
const KEPT_DELIVERIES = 10_000;
/** Surely still in the change log. */
const MAX_BEHIND = 20_000;

export interface WebhookDispatcherDeps extends Deps<"ids">, Omit<WebhookDelivererDeps, "signal"> {
  readonly changes: Pick<ChangeLog, "lastSeq" | "subscribe">;
}

/**
 * Delivers to webhooks. All state is in the database: what is to be delivered, and which process delivers to which webhook. Each
 * webhook has its own loop, so that one never waits for another, which makes one delivery after the other.
 */
export interface WebhookDispatcher extends Closable {
  /** Whether any webhook is on: then no change may be acknowledged before it is in the log. */
  readonly isNeeded: boolean;
  start(): Promise<void>;
  /** Looks for work now. */
  wake(): void;
}

export function createWebhookDispatcher(deps: WebhookDispatcherDeps): WebhookDispatcher {
  const { db, ids, logger, changes } = deps;
  const cutOff = new AbortController();
  const deliverer = createWebhookDeliverer({ ...deps, signal: cutOff.signal });
  const loops = new Set<Promise<void>>();
  const closers: (() => unknown)[] = [];
  let isNeeded = false;
  let isStopping = false;

  async function look(): Promise<void> {
    isNeeded = await hasEnabledWebhook(db.pool);
    if (!isNeeded || isStopping) return;
    await insertDeliveries(db.pool, changes.lastSeq, MAX_BEHIND);
    const claimId = ids();
    for (const id of await claimWebhooks(db.pool, claimId, CLAIM_MS)) {
      const loop = deliverAll(id, claimId)
        .catch((error: unknown) => logger.warn({ err: error, webhook: id }, "a webhook could not be served"))
        .finally(() => loops.delete(loop));
      loops.add(loop);
    }
  }
  const looking = createSingleFlight(look, (error) =>
    logger.warn({ err: error }, "the deliveries of webhooks could not be read"),
  );

  /** Delivers what is pending, in order, until there is no more or one fails. */
  async function deliverAll(webhookId: string, claimId: string): Promise<void> {
    try {
      while (!isStopping) {
        const target = await renewClaim(db.pool, webhookId, { claimId, claimMs: CLAIM_MS });
        const next = target === null ? null : await selectFirstPending(db.pool, webhookId);
        if (target === null || next === null) break;
        if (target.hasExpired) await deliverer.end(webhookId, "The API key that created it has expired.");
        else await deliverer.deliver(target, next);
      }
    } finally {
      await releaseClaim(db.pool, webhookId, claimId);
    }
    // What came between the last look and the release would otherwise wait for a while.
    if (!isStopping) looking.run();
  }

  async function prune(): Promise<void> {
    if (!isNeeded) return;
    for (const id of await selectOverfull(db.pool, MAX_PENDING))
      await deliverer.end(id, `More than ${MAX_PENDING.toLocaleString("en")} deliveries were waiting.`);
    await deleteOldDeliveries(db.pool, KEPT_DAYS, KEPT_DELIVERIES);
  }

  return {
    get isNeeded() {
      return isNeeded;
    },
    async start() {
      await look();
      const follow = (): void => {
        if (isNeeded) looking.run();
      };
      closers.push(changes.subscribe({ onChanges: follow, onGap: follow }));
      const onError = (error: unknown) =>
        logger.warn({ err: error }, "the deliveries of webhooks could not be kept up");
      const repeated = [
        repeat(async () => looking.run(), { everyMs: LOOK_EVERY_MS, onError }),
        repeat(prune, { everyMs: PRUNE_EVERY_MS, onError }),
      ];
      closers.push(...repeated.map((closable) => () => closable.close()));
    },
    wake: () => looking.run(),
    async close() {
      isStopping = true;
      for (const close of closers.splice(0)) await close();
      await looking.idle();
      const ended = Promise.all(loops);
      await Promise.race([ended, sleep(STOP_GRACE_MS, undefined, { ref: false })]);
      cutOff.abort();
      await ended;
    },
  };
}
