import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useClient } from "../../../client/use-client.ts";
import { announceOutsideUpdate, linkUpdatesQuery } from "../links/link-updates.ts";

/** Announces links that are changed because another program moves files while the page is open. */
export function useOutsideUpdates(): void {
  const client = useClient();
  const { data } = useQuery(linkUpdatesQuery(client));
  const known = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    const finished = data.filter(({ origin, isDone }) => origin === "outside" && isDone);
    const before = known.current;
    known.current = new Set(finished.map(({ id }) => id));
    if (before === null) return;
    for (const update of finished) {
      if (!before.has(update.id) && update.undoneById === null) announceOutsideUpdate(client, update);
    }
  }, [client, data]);
}
