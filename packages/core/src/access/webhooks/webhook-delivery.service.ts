import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, type Page } from "../../platform/paging.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { attemptDelivery, type AttemptDeps } from "./webhook-attempt.ts";
import {
  countDeliveries,
  insertTest,
  replayDelivery,
  replayFailed,
  selectDeliveries,
  selectDelivery,
  skipDelivery,
  type DeliveryCounts,
} from "./webhook-delivery.queries.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";
import { TEST_EVENT } from "./webhook-events.ts";
import { bodyOf } from "./webhook-payload.ts";
import { ownerOf, requireWebhook } from "./webhook.queries.ts";
import type {
  DeliveryById,
  ListDeliveries,
  OpenWebhookDelivery,
  ReplayFailed,
  WebhookDelivery,
} from "./webhook.schema.ts";

const byNumber = z.tuple([z.int().positive()]);
const readDeliveries = createPager(
  "webhook-deliveries",
  byNumber,
  ({ number }: WebhookDelivery & { readonly number: number }) => [number],
);

export interface WebhookDeliveryServiceDeps extends Deps<"ids">, Omit<AttemptDeps, "signal"> {
  readonly dispatcher: Pick<WebhookDispatcher, "wake">;
}

export type WebhookDeliveryService = ReturnType<typeof createWebhookDeliveryService>;

/** What was sent to webhooks and what came of it; sends tests, and sends again. */
export function createWebhookDeliveryService(deps: WebhookDeliveryServiceDeps) {
  const { db, clock, ids, dispatcher } = deps;
  const require = (principal: Principal, id: string) => requireWebhook(db.pool, ownerOf(principal), id);

  async function requireDelivery(principal: Principal, { id, deliveryId }: DeliveryById): Promise<OpenWebhookDelivery> {
    await require(principal, id);
    const delivery = isUuid(deliveryId) ? await selectDelivery(db.pool, id, deliveryId) : null;
    if (delivery === null) throw new NotFoundError("There is no such delivery.");
    return withoutResponse(principal, delivery);
  }

  async function requireEnabled(principal: Principal, id: string): Promise<void> {
    const { isEnabled } = await require(principal, id);
    if (!isEnabled) throw new ConflictError("The webhook is off. Turn it on first.");
  }

  return {
    /** For those who watch the server. */
    count: (): Promise<DeliveryCounts> => countDeliveries(db.pool),

    /** Sends a message at once, whatever is pending and even if it is off, and returns what came of it. Throws {@link NotFoundError}. */
    async sendTest(webhookId: string, principal: Principal): Promise<OpenWebhookDelivery> {
      const { url, name } = await require(principal, webhookId);
      const id = ids();
      const at = clock.now();
      const body = bodyOf(TEST_EVENT, at.toISOString(), { id: webhookId, name });
      const signal = new AbortController().signal;
      const attempted = await attemptDelivery({ ...deps, signal }, { webhookId, url, id, body });
      const { isDelivered, ...response } = attempted;
      const status = isDelivered ? "delivered" : "failed";
      await insertTest(db.pool, { id, webhookId, type: TEST_EVENT, at, body }, { ...response, status });
      return requireDelivery(principal, { id: webhookId, deliveryId: id });
    },

    /** The latest first. Throws {@link NotFoundError}. */
    async listDeliveries(input: ListDeliveries, principal: Principal): Promise<Page<WebhookDelivery>> {
      const { id: webhookId, status, ...paging } = input;
      await require(principal, webhookId);
      const page = await readDeliveries({ ...paging, filter: { webhookId, status } }, (range) =>
        selectDeliveries(db.pool, { webhookId, status }, range),
      );
      return { ...page, items: page.items.map((delivery) => withoutResponse(principal, delivery)) };
    },

    /** With what is sent. Throws {@link NotFoundError}. */
    getDelivery: (input: DeliveryById, principal: Principal): Promise<OpenWebhookDelivery> =>
      requireDelivery(principal, input),

    /** Delivers it again, before those that are pending, with the same id. Throws {@link NotFoundError} and {@link ConflictError}. */
    async replay(input: DeliveryById, principal: Principal): Promise<OpenWebhookDelivery> {
      await requireEnabled(principal, input.id);
      await requireDelivery(principal, input);
      await replayDelivery(db.pool, input.id, input.deliveryId);
      dispatcher.wake();
      return requireDelivery(principal, input);
    },

    /** Delivers all again that have failed. Throws {@link NotFoundError} and {@link ConflictError}. */
    async replayFailed({ id, since }: ReplayFailed, principal: Principal): Promise<{ replayed: number }> {
      await requireEnabled(principal, id);
      const replayed = await replayFailed(db.pool, id, new Date(since));
      dispatcher.wake();
      return { replayed };
    },

    /** Gives up a pending delivery. Throws {@link NotFoundError}, and {@link ConflictError} if it is not pending. */
    async skip(input: DeliveryById, principal: Principal): Promise<OpenWebhookDelivery> {
      await requireDelivery(principal, input);
      if (!(await skipDelivery(db.pool, input.id, input.deliveryId)))
        throw new ConflictError("The delivery is not pending.");
      dispatcher.wake();
      return requireDelivery(principal, input);
    },
  };
}

/** A key could otherwise read, through this server, what others in its network respond. */
function withoutResponse<Delivery extends WebhookDelivery>(principal: Principal, delivery: Delivery): Delivery {
  return principal.kind === "api_key" ? { ...delivery, responseText: null } : delivery;
}
