import { InvalidInputError } from "../../../platform/errors.ts";
import { isMarkdownName } from "../../markdown/file-type.ts";
import type { ArchiveEntry, SkippedEntry } from "./import-format.ts";
import { cleanNames, type CleanNames } from "./clean-names.ts";
import { folderOfPath, nameOfPath, splitName, type PlanImport, type PlannedFile } from "./import-format.ts";
import { columnsOf, toTable, withProperties } from "./notion-database.ts";
import { withCallouts, withPageLinks, withRelations } from "./notion-text.ts";
import { relativeTo, relink, resolveRelative } from "./relink.ts";

const ID = /[ _-]?\b([0-9a-f]{32})$/;
const WRAPPER = /^(?:Export|ExportBlock)-[0-9a-f-]{36}$/i;
const ALL_ROWS = /_all$/;
const ENCODED_LETTER = /%[C-F][0-9A-F]%[89AB][0-9A-F]/i;
const NO_NAME = /[/\\\p{Cc}]/u;
/** A longer page stays HTML. */
const MAX_PAGE_BYTES = 4_000_000;
/** The properties of a page that was exported as HTML, after its title. */
const PROPERTIES = /^((?:# [^\n]{0,1000}\n\n)?)```notion-properties\n([^`]*)\n```\n*/;
/** A longer table stays a file of its own. */
const MAX_TABLE_BYTES = 2_000_000;

/** A table of an export: the CSV with all of its rows, if there is one, and the folder of its pages. */
interface Database {
  readonly entry: ArchiveEntry;
  /** The path of the CSV without `_all` and extension. */
  readonly stem: string;
}

/**
 * An export of Notion, as Markdown and CSV or as HTML. Names lose their ids and links follow; a database becomes a note with a table that links to
 * its pages, whose properties go into their frontmatter.
 */
export const planNotion: PlanImport = async (entries, read, convertHtml) => {
  const skipped: SkippedEntry[] = [];
  const wanted = entries.filter((entry) => {
    const isIndex = /^(?:[^/]*\/)?index\.html$/i.test(entry.path);
    if (isIndex) skipped.push({ place: entry.path, reason: "is only an index of the export" });
    return !isIndex;
  });
  const databases = databasesOf(wanted, skipped);
  const names = cleanNames(
    wanted.map(({ path }) => path.replace(/_all(?=\.csv$)/i, "")),
    cleanStem,
  );
  const targets = targetsOf(wanted, names, databases);
  if (convertHtml !== undefined) {
    const taken = new Set(targets.values());
    for (const entry of wanted.filter(isPage)) targets.set(entry.path, pageTarget(names.file(entry.path), taken));
  }
  const pagesById = new Map([...targets].flatMap(([path, target]) => withId(path, target)));
  const columns = new Map<string, readonly string[]>();
  const tables = new Map<ArchiveEntry, string>();
  for (const { entry, stem } of databases.values()) {
    const text = entry.sizeBytes > MAX_TABLE_BYTES ? null : await read(entry);
    if (text === null) continue;
    const found = await columnsOf(text);
    if (found === null) continue;
    columns.set(stem, found);
    tables.set(entry, stem);
  }
  const files: PlannedFile[] = [];
  const left = new Set(skipped.map(({ place }) => place));
  for (const entry of wanted) {
    const target = targets.get(entry.path);
    if (target === undefined || left.has(entry.path)) continue;
    const stem = tables.get(entry);
    const place = { path: entry.path, target, targets, pagesById };
    if (stem !== undefined) {
      files.push({
        source: entry.path,
        target,
        entry,
        convert: (text) => toDatabaseNote(text, { ...place, stem, names }),
      });
    } else if (isPage(entry) && convertHtml !== undefined) {
      const convert = async (html: string) => toPageNote(await convertHtml(html), place);
      files.push({ source: entry.path, target, entry, convert });
    } else if (isMarkdownName(target)) {
      const known = columns.get(folderOfPath(entry.path));
      files.push({ source: entry.path, target, entry, convert: (text) => toNote(text, place, known) });
    } else {
      // A table that is too long, or none, keeps its extension.
      const kept = /\.csv$/i.test(entry.path) ? `${splitName(target).stem}.csv` : target;
      files.push({ source: entry.path, target: kept, entry });
    }
  }
  return { files, skipped };
};

interface Place {
  readonly path: string;
  readonly target: string;
  readonly targets: ReadonlyMap<string, string>;
  readonly pagesById: ReadonlyMap<string, string>;
}

async function toNote(text: string, place: Place, columns: readonly string[] | undefined): Promise<string> {
  const related = columns === undefined ? text : await withRelations(text, columns);
  const linked = await relink(await withPageLinks(related, place), (link) => {
    if (link.kind === "wiki") return null;
    const meant = resolveRelative(place.path, link.target);
    if (meant === null) return null;
    // A linked table may have been exported as a page of the same id.
    const [[id] = [""]] = withId(meant, "");
    const target = place.targets.get(meant) ?? place.targets.get(withoutAll(meant)) ?? place.pagesById.get(id);
    return target === undefined ? null : relativeTo(place.target, target);
  });
  const noted = await withCallouts(linked);
  return columns === undefined ? noted : withProperties(noted, columns);
}

/** The path of the note of a page; another one may have it, such as that of a database's table. */
function pageTarget(path: string, taken: Set<string>): string {
  const { stem } = splitName(path);
  let target = `${stem}.md`;
  for (let number = 2; taken.has(target); number += 1) target = `${stem} ${number}.md`;
  taken.add(target);
  return target;
}

/** The note of a page that was exported as HTML, whose properties are lines of a block of code. */
async function toPageNote(markdown: string | null, place: Place): Promise<string> {
  if (markdown === null) throw new InvalidInputError("its HTML is too complex");
  const found = PROPERTIES.exec(markdown);
  if (found === null) return toNote(markdown, place, undefined);
  const [whole, heading = "", written = ""] = found;
  const rest = markdown.slice(whole.length);
  const title = heading === "" ? `# ${splitName(nameOfPath(place.target)).stem}` : heading.trim();
  const columns = written.split("\n").map((line) => line.slice(0, line.indexOf(": ")));
  return toNote(`${title}\n${written}\n\n${rest}`, place, columns);
}

async function toDatabaseNote(
  csv: string,
  { target, targets, stem, names }: Place & { readonly stem: string; readonly names: CleanNames },
): Promise<string> {
  const pages = new Map<string, string>();
  for (const [path, page] of targets) {
    if (folderOfPath(path) !== stem || !isMarkdownName(path)) continue;
    const title = cleanStem(splitName(nameOfPath(path)).stem);
    if (!pages.has(title)) pages.set(title, relativeTo(target, page));
  }
  return toTable(csv, nameOfPath(names.folder(stem)), pages);
}

/** The tables by the stem of their CSV. Of two files of one, that with all rows is taken. */
function databasesOf(entries: readonly ArchiveEntry[], skipped: SkippedEntry[]): Map<string, Database> {
  const databases = new Map<string, Database>();
  for (const entry of entries) {
    const stem = splitName(withoutAll(entry.path)).stem;
    if (!/\.csv$/i.test(entry.path) || !ID.test(stem)) continue;
    const other = databases.get(stem);
    const [kept, left] = other === undefined || isComplete(entry) ? [entry, other?.entry] : [other.entry, entry];
    databases.set(stem, { entry: kept, stem });
    if (left !== undefined) skipped.push({ place: left.path, reason: "is a part of the table with all rows" });
  }
  return databases;
}

function isComplete({ path }: ArchiveEntry): boolean {
  return withoutAll(path) !== path;
}

function targetsOf(
  entries: readonly ArchiveEntry[],
  names: CleanNames,
  databases: ReadonlyMap<string, Database>,
): Map<string, string> {
  const targets = new Map<string, string>();
  const notes = new Set(entries.filter(({ path }) => isMarkdownName(path)).map(({ path }) => names.file(path)));
  const tables = new Set([...databases.values()].map(({ entry }) => entry));
  for (const entry of entries) {
    const { path } = entry;
    const stem = withoutAll(path);
    if (!tables.has(entry)) {
      if (!targets.has(path)) targets.set(path, names.file(path));
      continue;
    }
    const note = `${splitName(names.file(stem)).stem}.md`;
    const target = notes.has(note) ? `${splitName(note).stem} (table).md` : note;
    targets.set(path, target);
    // Links name the file with the rows of a view.
    targets.set(stem, target);
  }
  return targets;
}

function withoutAll(path: string): string {
  return path.replace(/_all(?=\.csv$)/i, "");
}

function withId(path: string, target: string): [string, string][] {
  const id = ID.exec(splitName(withoutAll(path)).stem)?.[1];
  return id === undefined ? [] : [[id, target]];
}

/** Without the id; nothing for a folder that has no other name. */
function cleanStem(stem: string): string {
  if (WRAPPER.test(stem)) return "";
  return decoded(stem.replace(ALL_ROWS, "").replace(ID, "").trim());
}

/** Letters beyond ASCII that Notion has written into the name of a file as in a URL. */
function decoded(stem: string): string {
  if (!ENCODED_LETTER.test(stem)) return stem;
  try {
    const name = decodeURIComponent(stem).normalize("NFC");
    return NO_NAME.test(name) ? stem : name;
  } catch {
    return stem;
  }
}

/** Whether an entry is a page that was exported as HTML. */
function isPage({ path, sizeBytes }: ArchiveEntry): boolean {
  return sizeBytes <= MAX_PAGE_BYTES && /\.html$/i.test(path) && ID.test(splitName(path).stem);
}

/** Whether the files are those of such an export. */
export function isNotion(entries: readonly ArchiveEntry[]): boolean {
  const notes = entries.filter(({ path }) => /\.(?:md|csv|html)$/i.test(path));
  const named = notes.filter(({ path }) => ID.test(splitName(withoutAll(nameOfPath(path))).stem));
  return named.length > 0 && named.length * 2 >= notes.length;
}
