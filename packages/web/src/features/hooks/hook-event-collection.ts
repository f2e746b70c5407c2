import type { Inputs, Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import { collectionPart } from "../../client/collection-part.ts";
import type { HookEvent } from "./hook-event.ts";

/** Every event that the page has loaded, so that one can be shown on its own. Events never change. */
export const hookEventCollection = collectionPart<HookEvent>(() => true);

/** Loads events and adds them to {@link hookEventCollection}. */
export async function readHookEvents(
  client: Client,
  input: Inputs["hooks"]["listEvents"],
  signal: AbortSignal,
): Promise<Outputs["hooks"]["listEvents"]> {
  const page = await client.api.hooks.listEvents.query(input, { signal });
  cacheEvents(client, page.data);
  return page;
}

export function cacheEvents(client: Client, events: readonly HookEvent[]): void {
  const collection = hookEventCollection(client);
  collection.merge(events, collection.startRead());
}
