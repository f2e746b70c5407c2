import * as z from "zod";
import { pagingInput } from "../../platform/paging.ts";
import { instantInput } from "../../platform/instant.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { WEBHOOK_EVENTS } from "./webhook-events.ts";

const MAX_URL_LENGTH = 2_000;
const MAX_EVENTS = 100;
export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

const name = z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters");
const url = z
  .string()
  .trim()
  .max(MAX_URL_LENGTH, `must be at most ${MAX_URL_LENGTH} characters`)
  .transform((text, context) => {
    const problem = problemOf(text);
    if (problem === null) return new URL(text).href;
    context.addIssue({ code: "custom", message: problem });
    return z.NEVER;
  })
  .meta({ description: "http or https, also in your own network. Redirects are not followed" });
const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1, "must name at least one event")
  .max(MAX_EVENTS, `must contain at most ${MAX_EVENTS} events`)
  .transform((chosen) => [...new Set(chosen)])
  .meta({ description: "What is sent. `task.*` stands for all changes of tasks" });

function problemOf(text: string): string | null {
  if (!URL.canParse(text)) return "expected a URL";
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return "must begin with http: or https:";
  if (username !== "" || password !== "") return "must not contain a user or password";
  return hash === "" ? null : "must not contain a fragment";
}

export const webhookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    isEnabled: z.boolean(),
    disabledReason: z.string().nullable().meta({
      description: "Why the server has turned it off; null if it is on, or if it was turned off by a request",
    }),
    apiKey: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "The key that created it, with which it ends; null if a person did" }),
    pending: z.int().meta({ description: "How many deliveries wait; 1000 also for more" }),
    nextAttemptAt: timestamp
      .nullable()
      .meta({ description: "After a failure: when the first of them is attempted again; null otherwise" }),
    createdAt: timestamp,
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof webhookSchema>;

export const createWebhookInput = z.object({ name, url, events });
export type CreateWebhook = z.output<typeof createWebhookInput>;

/** The only responses that contain a secret. */
export const createdWebhookSchema = webhookSchema
  .extend({
    secret: z
      .string()
      .meta({ description: "By which receivers verify signatures: whsec_ and base64, shown only once" }),
  })
  .meta({ id: "CreatedWebhook" });
export type CreatedWebhook = z.infer<typeof createdWebhookSchema>;

export const webhookByIdInput = z.object({ id: z.string() });

export const updateWebhookInput = z.object({
  id: z.string(),
  name: name.optional(),
  url: url.optional(),
  events: events.optional(),
  isEnabled: z.boolean().optional().meta({ description: "Events that happen while it is off are not delivered later" }),
});
export type UpdateWebhook = z.output<typeof updateWebhookInput>;

export const deletedWebhookSchema = webhookSchema.pick({ id: true, name: true });
export type DeletedWebhook = z.infer<typeof deletedWebhookSchema>;

export const webhookDeliverySchema = z
  .object({
    id: z.string().meta({ description: "The header `webhook-id` of each attempt" }),
    type: z.string(),
    resourceId: z.string(),
    resourceName: z.string().nullable(),
    occurredAt: timestamp,
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    lastAttemptAt: timestamp.nullable(),
    responseStatus: z.int().nullable().meta({ description: "Of the last attempt" }),
    responseText: z
      .string()
      .nullable()
      .meta({ description: "The beginning of the last response; always null for API keys" }),
    problem: z.string().nullable().meta({ description: "Why the last attempt failed" }),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

export const openWebhookDeliverySchema = webhookDeliverySchema
  .extend({ body: z.string().nullable().meta({ description: "What is sent; null before the first attempt" }) })
  .meta({ id: "OpenWebhookDelivery" });
export type OpenWebhookDelivery = z.infer<typeof openWebhookDeliverySchema>;

export const listDeliveriesInput = z.object({
  id: z.string(),
  status: z.enum(DELIVERY_STATUSES).optional(),
  ...pagingInput,
});
export type ListDeliveries = z.infer<typeof listDeliveriesInput>;

export const deliveryByIdInput = z.object({ id: z.string(), deliveryId: z.string() });
export type DeliveryById = z.infer<typeof deliveryByIdInput>;

export const replayFailedInput = z.object({
  id: z.string(),
  since: instantInput.meta({ description: "Those whose events happened at this time or later" }),
});
export type ReplayFailed = z.infer<typeof replayFailedInput>;
