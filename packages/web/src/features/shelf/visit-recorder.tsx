import { useRouterState } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useClient } from "../../client/use-client.ts";
import { newsQuery, useNews } from "../home/news.ts";
import { isSameItem, recordOpened, shelfQuery } from "./shelf.ts";
import { itemAt } from "./item-at.ts";

/** What is only passed by is not remembered. */
const DWELL_MS = 1_500;

/** Remembers what is opened on any page; what others change while it is looked at is no news. */
export default function VisitRecorder() {
  const client = useClient();
  const href = useRouterState({ select: ({ location }) => location.href });
  const item = useMemo(() => itemAt(href), [href]);
  const { news } = useNews();
  const isNews = item !== null && news?.items.some((other) => isSameItem(other, item)) === true;
  useEffect(() => {
    if (item === null) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const record = async () => {
      const [latest] = client.queries.getQueryData(shelfQuery(client).queryKey)?.recent ?? [];
      if (latest !== undefined && isSameItem(latest, item) && !isNews) return;
      await recordOpened(client, item);
      if (isNews) await client.queries.invalidateQueries({ queryKey: newsQuery(client).queryKey });
    };
    const look = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => void record(), DWELL_MS);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      clearTimeout(timer);
    };
  }, [client, item, isNews]);
  return null;
}
