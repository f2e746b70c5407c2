import { queryOptions } from "@tanstack/react-query";
import { parseQuery } from "@workspace/core/query-language";
import type { Outputs } from "../../../api/api.ts";
import { requestErrorOf } from "../../../api/request-error.ts";
import { clientPart } from "../../../client/client-part.ts";
import type { Client } from "../../../client/client.ts";
import { localTimeZone } from "../../../dates/local-time-zone.ts";
import { readFirstWeekday } from "../../../dates/use-first-weekday.ts";

export type QueryResult = Outputs["queries"]["run"]["data"][number];
type BaseView = Outputs["queries"]["readBase"]["data"][number];

const KEY = "note-queries";
/** So many are sent in one request. */
const MAX_BATCH = 20;
/** Queries that are asked for within this time are sent together. */
const COLLECT_MS = 20;
/** Several changes within this time cost one request. */
const REFRESH_MS = 500;
/** Days pass, and so do claims. */
const REFETCH_MS = 5 * 60_000;
const ABOUT: ReadonlySet<string> = new Set(["task", "project", "document"]);

/** The result of a query. Follows changes while it is shown. */
export function queryResultOptions(client: Client, text: string) {
  const runner = queryRunner(client);
  return queryOptions({
    queryKey: [KEY, text],
    queryFn: () => runner.run(text),
    refetchInterval: REFETCH_MS,
    retry: false,
  });
}

/** What is wrong with a query; null if it can be carried out. */
export function problemOf(text: string) {
  const parsed = parseQuery(text);
  return "problem" in parsed ? parsed.problem : null;
}

/** Has all results that are shown read again, for example after a task was ticked. */
export function refreshQueries(client: Client): Promise<void> {
  return client.queries.invalidateQueries({ queryKey: [KEY] });
}

interface Waiting {
  readonly text: string;
  readonly resolve: (result: QueryResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects the queries of a page into few requests, and asks again when something has changed that they may be about. */
const queryRunner = clientPart((client) => {
  let waiting: Waiting[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refresh: ReturnType<typeof setTimeout> | undefined;
  const refreshSoon = (): void => {
    refresh ??= setTimeout(() => {
      refresh = undefined;
      void refreshQueries(client);
    }, REFRESH_MS);
  };
  const unfollow = client.socket.onFrame((frame) => {
    if (frame.type === "resync" || (frame.type === "resource_change" && ABOUT.has(frame.resource))) refreshSoon();
  });
  client.onDispose(() => {
    unfollow();
    clearTimeout(timer);
    clearTimeout(refresh);
  });

  function send(): void {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += MAX_BATCH)
      void sendBatch(client, all.slice(start, start + MAX_BATCH));
  }

  return {
    run: (text: string): Promise<QueryResult> =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) timer = setTimeout(send, COLLECT_MS);
        waiting.push({ text, resolve, reject });
      }),
  };
});

async function sendBatch(client: Client, batch: readonly Waiting[]): Promise<void> {
  try {
    const queries = batch.map(({ text }) => text);
    const results = await post<QueryResult[]>(client, "/api/queries", {
      queries,
      timezone: localTimeZone(),
      firstWeekday: await readFirstWeekday(client),
    });
    batch.forEach(({ resolve, reject }, index) => {
      const result = results[index];
      if (result === undefined) reject(new Error("The server returned too few results."));
      else resolve(result);
    });
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/** The views of a `.base` file. */
export function baseViewsOptions(client: Client, text: string) {
  return queryOptions({
    queryKey: ["base-views", text],
    queryFn: () => post<BaseView[]>(client, "/api/queries/views", { text }),
    staleTime: Infinity,
    retry: false,
  });
}

/** These texts may be longer than a URL, so they are sent as the body of a request. */
async function post<Data>(client: Client, path: string, body: object): Promise<Data> {
  const response = await client.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    cache: "no-store",
  });
  const { data, message = "" }: { data?: Data; message?: string } = await response.json();
  if (!response.ok || data === undefined) throw requestErrorOf(response.status, message);
  return data;
}
