import { ECDH } from "node:crypto";
import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

const MAX_ENDPOINT_LENGTH = 2_000;

/** Bytes as browsers write them, in Base64 for URLs. */
const bytes = (count: number) =>
  z
    .string()
    .max(200, "must be at most 200 characters")
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, "base64url").length === count,
      `expected ${count} bytes`,
    );

/** What is encrypted for a key that is not a point of the curve would fail. */
function isPublicKey(text: string): boolean {
  try {
    ECDH.convertKey(text, "prime256v1", "base64url");
    return true;
  } catch {
    return false;
  }
}

export const pushKeySchema = z
  .object({ publicKey: z.string().meta({ description: "The `applicationServerKey` of a subscription" }) })
  .meta({ id: "PushKey" });

export const subscribeInput = z.object({
  endpoint: z
    .string()
    .max(MAX_ENDPOINT_LENGTH, `must be at most ${MAX_ENDPOINT_LENGTH} characters`)
    .meta({ description: "The URL of the browser's push service: https, and a public host name" }),
  keys: z
    .object({ p256dh: bytes(65).refine(isPublicKey, "expected a public key of P-256"), auth: bytes(16) })
    .meta({ description: "From the browser's subscription" }),
});
export type Subscribe = z.infer<typeof subscribeInput>;

export const pushDeviceByIdInput = z.object({ id: z.uuid("expected a UUID") });
export const listPushDevicesInput = listInput;

export const pushDeviceSchema = z
  .object({
    id: z.string(),
    isThisOne: z.boolean().meta({ description: "Whether it belongs to the session of this request" }),
    userAgent: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: "PushDevice" });
export type PushDevice = z.infer<typeof pushDeviceSchema>;

export const pushDeliverySchema = z
  .object({
    isDelivered: z.boolean().meta({ description: "Whether the push service has accepted the message" }),
    reason: z.string().nullable().meta({ description: "Why not" }),
  })
  .meta({ id: "PushDelivery" });
export type PushDelivery = z.infer<typeof pushDeliverySchema>;
