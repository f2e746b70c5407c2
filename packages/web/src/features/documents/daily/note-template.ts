import { toRequestError } from "../../../api/request-error.ts";
import type { Outputs } from "../../../api/api.ts";
import type { Client } from "../../../client/client.ts";
import { loadLater } from "../../../client/code-parts.ts";
import { localTimeZone } from "../../../dates/local-time-zone.ts";
import { isMarkdownPath, shownName } from "../document.ts";
import { isWithin, parentOf } from "../vault/vault-path.ts";
import { noteSettingsQuery, type NoteSettings } from "./daily-note.ts";

const MAX_TEMPLATES = 200;

const loadKeptTemplates = () => import("./kept-templates.ts");
loadLater(loadKeptTemplates);

/** Fills in the variables of a template for a note at a path; without the server, of the template as it was last read. */
export async function fillTemplate(
  client: Client,
  template: string,
  path: string,
): Promise<Outputs["notes"]["fillTemplate"]["data"]> {
  const input = { template, title: shownName(path), folder: parentOf(path), timezone: localTimeZone() };
  try {
    return (await client.api.notes.fillTemplate.query(input)).data;
  } catch (error) {
    if (toRequestError(error).kind !== "no-response") throw error;
    const filled = (await loadKeptTemplates()).fillKeptTemplate(client, template, path);
    if (filled === null) throw error;
    return filled;
  }
}

/**
 * The text that a new note at a path begins with: the template of its folder, or of the nearest one above. Nothing if there is none, or if
 * it cannot be read.
 */
export async function defaultContent(client: Client, path: string): Promise<string> {
  const settings = await client.queries.ensureQueryData(noteSettingsQuery(client));
  const template = templateOf(settings, path);
  if (template === null) return "";
  try {
    return (await fillTemplate(client, template, path)).content;
  } catch (error) {
    const { status } = toRequestError(error);
    if (status >= 400 && status < 500) return "";
    throw error;
  }
}

/** The template for new notes at a path; null if there is none, and for templates themselves. */
export function templateOf({ templateFolder, folderTemplates }: NoteSettings, path: string): string | null {
  if (!isMarkdownPath(path) || isWithin(path, templateFolder)) return null;
  const above = folderTemplates.filter(({ folder }) => folder === "" || isWithin(path, folder));
  return above.toSorted((one, other) => other.folder.length - one.folder.length)[0]?.template ?? null;
}

/** The templates among some documents, in the order of their paths. */
export function templatesAmong<Note extends { readonly path: string }>(
  documents: readonly Note[],
  { templateFolder }: NoteSettings,
): Note[] {
  return documents
    .filter(({ path }) => isMarkdownPath(path) && path !== templateFolder && isWithin(path, templateFolder))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .slice(0, MAX_TEMPLATES);
}
