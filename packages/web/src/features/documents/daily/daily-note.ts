import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Outputs } from "../../../api/api.ts";
import type { Client } from "../../../client/client.ts";
import { localTimeZone } from "../../../dates/local-time-zone.ts";

export type DailyNote = Outputs["notes"]["daily"]["data"];
export type NoteSettings = Outputs["notes"]["settings"]["data"];

/** The note of a day, or what it would begin with. It depends on the documents, so it is refetched when they change. */
export function dailyNoteQuery(client: Client, date: string) {
  return queryOptions({
    queryKey: ["documents", "daily", date],
    queryFn: async ({ signal }) =>
      (await client.api.notes.daily.query({ date, timezone: localTimeZone() }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Where daily notes and templates are. */
export function noteSettingsQuery(client: Client) {
  return queryOptions({
    queryKey: ["note-settings"],
    queryFn: async ({ signal }) => (await client.api.notes.settings.query(undefined, { signal })).data,
    staleTime: 60_000,
  });
}

/** Creates the note of a day from its template, unless there is one. */
export async function createDailyNote(client: Client, date: string) {
  return (await client.api.notes.createDaily.mutate({ date, timezone: localTimeZone() })).data;
}
