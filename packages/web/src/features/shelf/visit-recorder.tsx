import { useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { useClient } from "../../client/use-client.ts";
import { isSameItem, recordOpened, shelfQuery, type ShelfKey } from "./shelf.ts";
import { itemAt } from "./item-at.ts";

/** What is only passed by is not remembered. */
const DWELL_MS = 1_500;

/** Remembers what is opened on any page. */
export default function VisitRecorder() {
  const client = useClient();
  const href = useRouterState({ select: ({ location }) => location.href });
  useEffect(() => {
    const item = itemAt(href);
    if (item === null) return undefined;
    const timer = setTimeout(() => {
      if (!isLatest(item)) void recordOpened(client, item);
    }, DWELL_MS);
    const isLatest = (key: ShelfKey) => {
      const [latest] = client.queries.getQueryData(shelfQuery(client).queryKey)?.recent ?? [];
      return latest !== undefined && isSameItem(latest, key);
    };
    return () => clearTimeout(timer);
  }, [client, href]);
  return null;
}
