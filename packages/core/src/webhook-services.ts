import { createWebhookDeliveryService } from "./access/webhooks/webhook-delivery.service.ts";
import { createWebhookDispatcher, type WebhookDispatcherDeps } from "./access/webhooks/webhook-dispatcher.ts";
import { createWebhookService } from "./access/webhooks/webhook.service.ts";

/** Builds what manages webhooks and what delivers to them. */
export function createWebhookServices(deps: WebhookDispatcherDeps) {
  const webhookDispatcher = createWebhookDispatcher(deps);
  return {
    webhookDispatcher,
    webhooks: createWebhookService({ ...deps, dispatcher: webhookDispatcher }),
    webhookDeliveries: createWebhookDeliveryService({ ...deps, dispatcher: webhookDispatcher }),
  };
}
