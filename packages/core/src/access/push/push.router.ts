import * as z from "zod";
import { requireSignedIn } from "../../platform/procedures/authorization.ts";
import { signedInProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  listPushDevicesInput,
  pushDeliverySchema,
  pushDeviceByIdInput,
  pushDeviceSchema,
  pushKeySchema,
  subscribeInput,
} from "./push.schema.ts";
import type { PushService } from "./push.service.ts";

/** Only for people: a program that could subscribe would read what they are asked about. */
const procedure = signedInProcedure<{ readonly push: PushService }>().tagged("Notifications");

export const pushRouter = {
  getKey: procedure
    .rest("GET /push/key", "Get the key that browsers subscribe to push messages with", { errorStatuses: [403, 503] })
    .output(dataOf(pushKeySchema))
    .query(({ ctx }) => asData(ctx.services.push.key())),

  listDevices: procedure
    .rest("GET /push/devices", "List your browsers that get push messages, newest first", { errorStatuses: [403] })
    .input(listPushDevicesInput)
    .output(pageOf(pushDeviceSchema))
    .query(({ ctx, input }) => asPage(ctx.services.push.listDevices(requireSignedIn(ctx.principal), input))),

  subscribe: procedure
    .rest("POST /push/devices", "Send push messages to the browser of this session until it ends", {
      errorStatuses: [403],
    })
    .input(subscribeInput)
    .output(dataOf(z.object({ id: z.string() })))
    .mutation("reaches_outside", ({ ctx, input }) =>
      asData(ctx.services.push.subscribe(requireSignedIn(ctx.principal), input)),
    ),

  unsubscribe: procedure
    .rest("DELETE /push/devices/{id}", "Send no more push messages to one of your browsers", {
      errorStatuses: [403, 404],
    })
    .input(pushDeviceByIdInput)
    .output(dataOf(z.object({ deleted: z.literal(true) })))
    .mutation("destroys", ({ ctx, input }) =>
      asData(ctx.services.push.unsubscribe(requireSignedIn(ctx.principal), input.id)),
    ),

  sendTest: procedure
    .rest("POST /push/devices/{id}/test", "Send a push message to one of your browsers", { errorStatuses: [403, 404] })
    .input(pushDeviceByIdInput)
    .output(dataOf(pushDeliverySchema))
    .mutation("reaches_outside", ({ ctx, input }) =>
      asData(ctx.services.push.sendTest(requireSignedIn(ctx.principal), input.id)),
    ),
};
