import { trpc } from "../../api/trpc.ts";
import type { Inputs, Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";

export type Webhook = Outputs["webhooks"]["list"]["data"][number];
export type CreatedWebhook = Outputs["webhooks"]["create"]["data"];
export type NewWebhook = Inputs["webhooks"]["create"];
export type Delivery = Outputs["webhooks"]["deliveries"]["data"][number];

/** As many as there can be. */
const SHOWN = 50;
/** What is sent changes without a change of the webhook. */
const REFRESH_MS = 5_000;

/** The person's webhooks, newest first. */
export function webhooksQuery(client: Client) {
  return { ...trpc(client).webhooks.list.queryOptions({ limit: SHOWN }), refetchInterval: REFRESH_MS };
}

/** The latest deliveries of a webhook. */
export function deliveriesQuery(client: Client, id: string) {
  return { ...trpc(client).webhooks.deliveries.queryOptions({ id, limit: SHOWN }), refetchInterval: REFRESH_MS };
}

/** Reads again what was just changed. */
export async function refresh(client: Client): Promise<void> {
  await client.queries.invalidateQueries({ queryKey: trpc(client).webhooks.pathKey() });
}
