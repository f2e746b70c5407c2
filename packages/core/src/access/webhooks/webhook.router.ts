import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  createdWebhookSchema,
  createWebhookInput,
  deletedWebhookSchema,
  deliveryByIdInput,
  listDeliveriesInput,
  openWebhookDeliverySchema,
  replayFailedInput,
  updateWebhookInput,
  webhookByIdInput,
  webhookDeliverySchema,
  webhookSchema,
} from "./webhook.schema.ts";
import type { WebhookDeliveryService } from "./webhook-delivery.service.ts";
import type { WebhookService } from "./webhook.service.ts";

/** No tools: a model that could create webhooks could send away whatever happens from then on. */
const procedure = userProcedure<{
  readonly webhooks: WebhookService;
  readonly webhookDeliveries: WebhookDeliveryService;
}>().tagged("Webhooks");

/** URLs to which changes are sent. */
export const webhookRouter = {
  list: procedure
    .rest("GET /webhooks", "List your webhooks, newest first")
    .input(listInput)
    .output(pageOf(webhookSchema))
    .v1("webhooks")
    .query(({ ctx, input }) => asPage(ctx.services.webhooks.list(input, ctx.principal))),

  create: procedure
    .rest("POST /webhooks", "Create a webhook with a secret, which is shown only once", {
      successStatus: 201,
      errorStatuses: [403, 409],
      returnsSecret: true,
    })
    .input(createWebhookInput)
    .output(dataOf(createdWebhookSchema))
    .v1("webhooks")
    .mutation("reaches_outside", ({ ctx, input }) => asData(ctx.services.webhooks.create(input, ctx.principal))),

  get: procedure
    .rest("GET /webhooks/{id}", "Get one webhook", { errorStatuses: [404] })
    .input(webhookByIdInput)
    .output(dataOf(webhookSchema))
    .v1("webhooks")
    .query(({ ctx, input }) => asData(ctx.services.webhooks.get(input.id, ctx.principal))),

  update: procedure
    .rest("PUT /webhooks/{id}", "Change the given fields, or turn it on or off", { errorStatuses: [403, 404] })
    .input(updateWebhookInput)
    .output(dataOf(webhookSchema))
    .v1("webhooks")
    .mutation("reaches_outside", ({ ctx, input }) => asData(ctx.services.webhooks.update(input, ctx.principal))),

  renewSecret: procedure
    .rest("POST /webhooks/{id}/secret", "Replace the secret with a new one, which is shown only once", {
      errorStatuses: [404],
      returnsSecret: true,
    })
    .input(webhookByIdInput)
    .output(dataOf(createdWebhookSchema))
    .v1("webhooks")
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.webhooks.renewSecret(input.id, ctx.principal))),

  delete: procedure
    .rest("DELETE /webhooks/{id}", "Delete a webhook with its deliveries", { errorStatuses: [404] })
    .input(webhookByIdInput)
    .output(dataOf(deletedWebhookSchema))
    .v1("webhooks")
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.webhooks.delete(input.id, ctx.principal))),

  test: procedure
    .rest("POST /webhooks/{id}/test", "Send a test at once, and return what came of it", { errorStatuses: [404] })
    .input(webhookByIdInput)
    .output(dataOf(openWebhookDeliverySchema))
    .v1("webhooks")
    .mutation("reaches_outside", ({ ctx, input }) =>
      asData(ctx.services.webhookDeliveries.sendTest(input.id, ctx.principal)),
    ),

  replayFailed: procedure
    .rest("POST /webhooks/{id}/replay", "Deliver all again that have failed since a time", {
      errorStatuses: [404, 409],
    })
    .input(replayFailedInput)
    .output(dataOf(z.object({ replayed: z.int() })))
    .v1("webhooks")
    .mutation("reaches_outside", ({ ctx, input }) =>
      asData(ctx.services.webhookDeliveries.replayFailed(input, ctx.principal)),
    ),

  deliveries: procedure
    .rest("GET /webhooks/{id}/deliveries", "List the deliveries of the last days, latest first", {
      errorStatuses: [404],
    })
    .input(listDeliveriesInput)
    .output(pageOf(webhookDeliverySchema))
    .v1("webhooks")
    .query(({ ctx, input }) => asPage(ctx.services.webhookDeliveries.listDeliveries(input, ctx.principal))),

  delivery: procedure
    .rest("GET /webhooks/{id}/deliveries/{deliveryId}", "Get one delivery with its body", { errorStatuses: [404] })
    .input(deliveryByIdInput)
    .output(dataOf(openWebhookDeliverySchema))
    .v1("webhooks")
    .query(({ ctx, input }) => asData(ctx.services.webhookDeliveries.getDelivery(input, ctx.principal))),

  replay: procedure
    .rest("POST /webhooks/{id}/deliveries/{deliveryId}/replay", "Deliver it again, or now if it is pending", {
      errorStatuses: [404, 409],
    })
    .input(deliveryByIdInput)
    .output(dataOf(openWebhookDeliverySchema))
    .v1("webhooks")
    .mutation("reaches_outside", ({ ctx, input }) =>
      asData(ctx.services.webhookDeliveries.replay(input, ctx.principal)),
    ),

  skip: procedure
    .rest(
      "POST /webhooks/{id}/deliveries/{deliveryId}/skip",
      "Give up a pending delivery, so that the next one is made",
      {
        errorStatuses: [404, 409],
      },
    )
    .input(deliveryByIdInput)
    .output(dataOf(openWebhookDeliverySchema))
    .v1("webhooks")
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.webhookDeliveries.skip(input, ctx.principal))),
};
