import { fillVariables, MAX_TEMPLATE_CHARACTERS } from "@workspace/core/template-variables";
import { queryOptions } from "@tanstack/react-query";
import { toRequestError } from "../../../api/request-error.ts";
import { sessionQuery } from "../../../api/session.ts";
import type { Client } from "../../../client/client.ts";
import { todayOf, toPlainDate } from "../../../dates/day.ts";
import { shownName, type Document } from "../document.ts";
import { bodyOf } from "../new-notes/unsent-note.ts";
import { parentOf } from "../vault/vault-path.ts";
import { noteSettingsQuery } from "./daily-note.ts";
import { templatesAmong } from "./note-template.ts";

/** A template as it was last read. */
interface KeptTemplate {
  readonly hash: string;
  readonly text: string;
}

/** A template with its variables filled in; `cursor` is an offset in what follows the frontmatter. */
export interface FilledTemplate {
  readonly content: string;
  readonly body: string;
  readonly cursor: number | null;
}

/** The texts of templates, by their paths. They are a part of the local copy, so that notes begin with them while the server is away. */
const KEPT_TEMPLATES = ["note-templates"];

/** Reads the templates among some documents that have changed since they were last read. */
export async function keepTemplates(client: Client, documents: readonly Document[]): Promise<void> {
  const settings = await client.queries.ensureQueryData(noteSettingsQuery(client));
  const ofFolders = settings.folderTemplates.map(({ template }) => template);
  const named = new Set([settings.dailyTemplate, ...ofFolders]);
  const templates = [...documents.filter(({ path }) => named.has(path)), ...templatesAmong(documents, settings)];
  const known = keptTemplates(client);
  const isKnown = ({ path, contentHash }: Document) => known[path]?.hash === contentHash;
  if (templates.every(isKnown) && Object.keys(known).length === new Set(templates.map(({ path }) => path)).size) return;
  await client.queries.fetchQuery(
    queryOptions({
      queryKey: KEPT_TEMPLATES,
      queryFn: async ({ signal }) => {
        const read = await Promise.all(
          templates.map(async ({ path, contentHash: hash }): Promise<[string, KeptTemplate]> => {
            const kept = known[path];
            if (kept?.hash === hash) return [path, kept];
            return [path, { hash, text: await readTemplate(client, path, signal) }];
          }),
        );
        return Object.fromEntries(read);
      },
      staleTime: 0,
      gcTime: Infinity,
    }),
  );
}

/** The text of a template; nothing if it cannot be used as one. Rejects if the server does not say so. */
async function readTemplate(client: Client, path: string, signal: AbortSignal): Promise<string> {
  try {
    const { content } = (await client.api.fs.read.query({ path: `/${path}` }, { signal })).data;
    return content.length > MAX_TEMPLATE_CHARACTERS ? "" : content;
  } catch (error) {
    const { status } = toRequestError(error);
    if (status >= 400 && status < 500) return "";
    throw error;
  }
}

function keptTemplates(client: Client): Readonly<Record<string, KeptTemplate>> {
  return client.queries.getQueryData<Readonly<Record<string, KeptTemplate>>>(KEPT_TEMPLATES) ?? {};
}

/** Fills in a template as it was last read, for a note at a path; null if it never was. `date` is the day of a daily note. */
export function fillKeptTemplate(client: Client, template: string, path: string, date?: string): FilledTemplate | null {
  const kept = keptTemplates(client)[template];
  if (kept === undefined) return null;
  const now = new Date();
  const filled = fillVariables(kept.text, {
    title: shownName(path),
    folder: parentOf(path),
    author: client.queries.getQueryData(sessionQuery(client).queryKey)?.name ?? "",
    date: date ?? toPlainDate(todayOf(now)),
    time: now.toTimeString().slice(0, "HH:MM".length),
  });
  if (filled === null) return null;
  const { content, caret } = filled;
  const body = bodyOf(content);
  const head = content.length - body.length;
  return { content, body, cursor: caret !== null && caret >= head ? caret - head : null };
}
