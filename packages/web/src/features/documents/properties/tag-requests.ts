import { useEffect, useEffectEvent } from "react";
import { clientPart } from "../../../client/client-part.ts";
import { Listeners } from "../../../client/listeners.ts";
import { useClient } from "../../../client/use-client.ts";

/** Tags whose files are to be listed, wherever in a text or in the properties they were chosen. */
export const tagRequests = clientPart(() => new Listeners<string>());

/** Lists the files with a tag whenever one is chosen elsewhere on the page. */
export function useTagRequests(onRequest: (tag: string) => void): void {
  const client = useClient();
  const handle = useEffectEvent(onRequest);
  useEffect(() => tagRequests(client).add((tag) => handle(tag)), [client]);
}
