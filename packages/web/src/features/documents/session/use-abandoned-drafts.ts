import { useEffect } from "react";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";

/** Saves drafts left by earlier visits, at once and whenever the server becomes reachable again. */
export function useAbandonedDrafts(): void {
  const client = useClient();
  useEffect(() => {
    void saveAbandonedDrafts(client).catch(waitForServer);
    return client.connection.subscribe((state) => {
      if (state === "online") void saveAbandonedDrafts(client).catch(waitForServer);
    });
  }, [client]);
}

async function saveAbandonedDrafts(client: Client): Promise<void> {
  const { documentDrafts } = await import("./draft-store.ts");
  const ids = await documentDrafts(client).documentIds();
  if (ids.size === 0) return;
  const { saveAbandonedDraft } = await import("./abandoned-drafts.ts");
  // Failures are retried on the next occasion; the draft stays until then.
  await Promise.allSettled([...ids].map((id) => saveAbandonedDraft(client, id)));
}

/** The code could not be loaded; it is when the server responds again. */
function waitForServer(): void {}
