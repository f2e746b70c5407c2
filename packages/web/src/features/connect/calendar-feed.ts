import { queryOptions } from "@tanstack/react-query";
import type { Inputs, Outputs } from "../../api/api.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";

export type CalendarFeed = Outputs["calendarFeeds"]["list"]["data"][number];
export type NewCalendarFeed = Inputs["calendarFeeds"]["create"];
export type CreatedCalendarFeed = Outputs["calendarFeeds"]["create"]["data"];
export type FeedContent = CalendarFeed["content"];

/** What a feed shows, as people choose it. */
export const FEED_CONTENTS: readonly { readonly value: FeedContent; readonly label: string }[] = [
  { value: "events", label: "Due tasks as events: every calendar program shows them" },
  { value: "tasks", label: "All tasks as tasks: few programs show them" },
  { value: "both", label: "Both" },
];

/** All feeds, newest first. */
export function calendarFeedsQuery(client: Client) {
  return queryOptions({
    queryKey: ["calendarFeeds", "all"],
    queryFn: async ({ signal }) => (await client.api.calendarFeeds.list.query({}, { signal })).data,
  });
}

/** Creates a feed; only this response ever contains its path. Rejects with a RequestError. */
export async function createCalendarFeed(client: Client, feed: NewCalendarFeed): Promise<CreatedCalendarFeed> {
  try {
    const { data } = await client.api.calendarFeeds.create.mutate(feed);
    await client.queries.invalidateQueries({ queryKey: calendarFeedsQuery(client).queryKey });
    return data;
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Revokes a feed immediately and permanently. Rejects with a RequestError. */
export async function revokeCalendarFeed(client: Client, { id }: Pick<CalendarFeed, "id">): Promise<void> {
  try {
    await client.api.calendarFeeds.revoke.mutate({ id });
  } catch (error) {
    throw toRequestError(error);
  }
  await client.queries.invalidateQueries({ queryKey: calendarFeedsQuery(client).queryKey });
}
