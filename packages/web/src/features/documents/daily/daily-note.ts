import { keepPreviousData, queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { Outputs } from "../../../api/api.ts";
import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";
import { loadLater } from "../../../client/code-parts.ts";
import { localTimeZone } from "../../../dates/local-time-zone.ts";
import { useKeptChanges } from "../../outbox/outbox.ts";
import { openSessions } from "../session/open-sessions.ts";

export type DailyNote = Outputs["notes"]["daily"]["data"];
export type NoteSettings = Outputs["notes"]["settings"]["data"];

/** A note that was just created, and where its template puts the caret, as an offset in its text. */
export interface CreatedDailyNote {
  readonly id: string;
  readonly cursor: number | null;
}

const loadKeptDay = () => import("./kept-day.ts");
loadLater(loadKeptDay);

/**
 * The note of a day, or what it would begin with. It depends on the documents, so it is refetched when they change. Without the server, it is
 * what the local copy has.
 */
export function dailyNoteQuery(client: Client, date: string) {
  return queryOptions({
    queryKey: ["documents", "daily", date],
    queryFn: async ({ signal }): Promise<DailyNote> => {
      try {
        return (await client.api.notes.daily.query({ date, timezone: localTimeZone() }, { signal })).data;
      } catch (error) {
        if (toRequestError(error).kind !== "no-response") throw error;
        return (await loadKeptDay()).keptDay(client, date);
      }
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** The note of a day, which may be one that is still to be created. `date` is undefined if no day is shown. */
export function useDailyNote(date: string | undefined): Pick<UseQueryResult<DailyNote>, "data" | "error" | "refetch"> {
  const query = useQuery({ ...dailyNoteQuery(useClient(), date ?? ""), enabled: date !== undefined });
  const kept = useKeptChanges();
  const { data, error, refetch } = query;
  const unsent = kept.find(({ change }) => change.kind === "create-note" && change.path === data?.path);
  if (data === undefined || unsent === undefined) return { data, error, refetch };
  return { data: { ...data, id: unsent.rowId, begins: null }, error, refetch };
}

/** Where daily notes and templates are. */
export function noteSettingsQuery(client: Client) {
  return queryOptions({
    queryKey: ["note-settings"],
    queryFn: async ({ signal }) => (await client.api.notes.settings.query(undefined, { signal })).data,
    staleTime: 60_000,
  });
}

/** Creates the note of a day from its template, unless there is one; while the server is away, it is kept. */
export async function createDailyNote(client: Client, date: string): Promise<CreatedDailyNote> {
  try {
    const { id, cursor } = (await client.api.notes.createDaily.mutate({ date, timezone: localTimeZone() })).data;
    openSessions(client).publish((await client.api.documents.get.query({ id })).data);
    return { id, cursor };
  } catch (error) {
    if (toRequestError(error).kind !== "no-response") throw error;
    const created = await (await loadKeptDay()).createKeptDay(client, date);
    void client.queries.invalidateQueries({ queryKey: dailyNoteQuery(client, date).queryKey });
    return created;
  }
}
