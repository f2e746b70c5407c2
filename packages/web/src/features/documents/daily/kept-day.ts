import { readDay, writeDay } from "@workspace/core/day-name";
import type { Client } from "../../../client/client.ts";
import { documentCollection, documentsQuery } from "../document-collection.ts";
import { isMarkdownPath } from "../document.ts";
import { createNoteAt } from "../new-notes/unsent-notes.ts";
import { childOf } from "../vault/vault-path.ts";
import { noteSettingsQuery, type CreatedDailyNote, type DailyNote, type NoteSettings } from "./daily-note.ts";
import { fillKeptTemplate, type FilledTemplate } from "./kept-templates.ts";

const EMPTY: FilledTemplate = { content: "", body: "", cursor: null };

/** The note of a day as far as it is known without the server. Rejects if the documents or the settings of notes are not. */
export async function keptDay(client: Client, date: string): Promise<DailyNote> {
  const settings = await client.queries.ensureQueryData(noteSettingsQuery(client));
  await client.queries.ensureQueryData(documentsQuery(client));
  const path = pathOfDay(settings, date);
  const documents = [...documentCollection(client).getSnapshot().values()].filter((row) => row.deletedAt === null);
  const all = documents
    .flatMap(({ id, path: found }) => {
      const day = dayAt(settings, found);
      return day === null ? [] : [{ date: day, id, path: found }];
    })
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
  const id = documents.find((document) => document.path === path)?.id ?? null;
  return {
    date,
    path,
    id,
    begins: id === null ? beginningOf(client, settings, { path, date }).body : null,
    previous: all.findLast((other) => other.date < date) ?? null,
    next: all.find((other) => other.date > date) ?? null,
    ofMonth: all.filter((other) => other.date.slice(0, 7) === date.slice(0, 7)),
  };
}

/** Has the note of a day created, unless there is one. It becomes a part of the one that somebody else has created by then. */
export async function createKeptDay(client: Client, date: string): Promise<CreatedDailyNote> {
  const { id, path } = await keptDay(client, date);
  if (id !== null) return { id, cursor: null };
  const settings = await client.queries.ensureQueryData(noteSettingsQuery(client));
  const { content, cursor } = beginningOf(client, settings, { path, date });
  const created = await createNoteAt(client, path, content, { joins: true });
  if (created === undefined) throw new Error("The note was not created.");
  return { id: created.id, cursor };
}

function beginningOf(
  client: Client,
  { dailyTemplate }: NoteSettings,
  { path, date }: { readonly path: string; readonly date: string },
): FilledTemplate {
  return (dailyTemplate === null ? null : fillKeptTemplate(client, dailyTemplate, path, date)) ?? EMPTY;
}

function pathOfDay({ dailyFolder, dailyName }: NoteSettings, date: string): string {
  return childOf(dailyFolder, `${writeDay(dailyName, date)}.md`);
}

/** The day whose note is at a path; null if it is none. */
function dayAt({ dailyFolder, dailyName }: NoteSettings, path: string): string | null {
  const start = dailyFolder === "" ? "" : `${dailyFolder}/`;
  if (!path.startsWith(start) || !isMarkdownPath(path)) return null;
  return readDay(dailyName, path.slice(start.length).replace(/\.[^.]+$/, ""));
}
