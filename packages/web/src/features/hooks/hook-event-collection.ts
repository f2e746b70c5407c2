import { Collection } from "../../api/collection.ts";
import { onForget } from "../../api/forget.ts";
import { trpcClient, type Inputs, type Outputs } from "../../api/trpc.ts";
import type { HookEvent } from "./hook-event.ts";

/** Every event that the page has read, so that one can be shown alone. An event never changes. */
export const hookEventCollection = new Collection<HookEvent>(() => true);
onForget(() => hookEventCollection.clear());

/** Reads events, which are known to {@link hookEventCollection} from then on. */
export async function readHookEvents(
  input: Inputs["hooks"]["listEvents"],
  signal: AbortSignal,
): Promise<Outputs["hooks"]["listEvents"]> {
  const page = await trpcClient.hooks.listEvents.query(input, { signal });
  rememberEvents(page.data);
  return page;
}

export function rememberEvents(events: readonly HookEvent[]): void {
  hookEventCollection.merge(events, hookEventCollection.startRead());
}
