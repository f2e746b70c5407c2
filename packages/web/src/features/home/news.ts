import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { toasts } from "../../components/toast.ts";
import { NEWS_KEY } from "./news-updates.ts";

export type News = Outputs["home"]["news"]["data"];
export type NewsItem = News["items"][number];
export type BlockedCall = News["blockedCalls"]["latest"][number];
export type AgentNews = News["agents"][number];

export function newsQuery(client: Client) {
  return queryOptions({
    queryKey: NEWS_KEY,
    queryFn: async ({ signal }) => (await client.api.home.news.query(undefined, { signal })).data,
  });
}

/** What happened since the person last read the news; undefined until it is loaded. */
export function useNews(): { readonly news: News | undefined; readonly isSettled: boolean } {
  const { data, isPending } = useQuery(newsQuery(useClient()));
  return { news: data, isSettled: !isPending };
}

/** The ids of what others changed and the person has not opened since, of one kind. */
export function useUnread(kind: NewsItem["kind"]): ReadonlySet<string> {
  const { news } = useNews();
  return useMemo(() => new Set(news?.items.filter((item) => item.kind === kind).map(({ id }) => id)), [news, kind]);
}

/** Whether something happened that one would want to know; what was spent alone is not. */
export function isNewsworthy({ items, agents, blockedCalls, memories }: News): boolean {
  return items.length > 0 || agents.length > 0 || blockedCalls.total > 0 || memories.learnt > 0;
}

/** Marks what is shown as read, on all devices. */
export async function markNewsRead(client: Client, { until }: News): Promise<void> {
  const { queryKey } = newsQuery(client);
  try {
    await client.queries.cancelQueries({ queryKey });
    const { data } = await client.api.home.read.mutate({ until });
    client.queries.setQueryData(queryKey, data);
  } catch (error) {
    const detail = toRequestError(error).message;
    toasts(client).show({ message: "The news could not be marked as read", detail, tone: "danger" });
  }
}
