import { stringify } from "yaml";
import { foldText } from "../../../platform/fold-text.ts";
import { inSlices } from "../../../platform/in-slices.ts";
import { markdownLines } from "../../markdown/markdown-lines.ts";
import type { ArchiveEntry, SkippedEntry } from "./import-format.ts";
import { cleanNames } from "./clean-names.ts";
import { FreeNames } from "./free-names.ts";
import {
  folderOfPath,
  joinPath,
  nameOfPath,
  splitName,
  type ImportPlan,
  type PlanImport,
  type PlannedFile,
} from "./import-format.ts";
import { planPlain } from "./plain.ts";
import { relativeTo, relink, resolveRelative } from "./relink.ts";

const BUNDLE_END = ".textbundle/";
const TEXT_NAME = /^text\.(?:md|markdown|txt)$/i;
const NOTE_URL = /bear:\/\/x-callback-url\/open-note\?[^\s)\]>]{0,300}?\bid=([0-9A-F-]{10,60})[^\s)\]>]{0,300}/gi;
/** `#two words#`: of which a tag here can only have one. */
const SPACED_TAG = /(?<![^\s(])#([\p{L}\p{N}][^#\n]{0,98}[\p{L}\p{N}])#(?![^\s).,;:!?])/gu;
/** `~words~`; `~~words~~` are struck out there, too. */
const UNDERLINED = /(?<![~\\\p{L}\p{N}])~(?![~\s])([^~\n]{1,500})(?<!\s)~(?![~\p{L}\p{N}])/gu;

interface Bundle {
  readonly path: string;
  readonly name: string;
  text: ArchiveEntry | null;
  info: ArchiveEntry | null;
  readonly assets: ArchiveEntry[];
}

/** What Bear keeps of a note beside its text. */
interface BearInfo {
  readonly id: string | null;
  readonly properties: Readonly<Record<string, string | boolean>>;
  readonly reason: string | null;
}

/**
 * Notes of Bear: a backup or TextBundles, each with a text and what is embedded in it. The assets of a note get a folder with its name.
 * Notes in the trash, and encrypted ones, are left out. An export as Markdown is taken as it is.
 */
export const planBear: PlanImport = async (entries, read) => {
  const bundles = bundlesOf(entries);
  if (bundles.length === 0) return planPlain(entries, read);
  const names = cleanNames(
    bundles.map(({ name }) => `${name}.md`),
    (stem) => stem.trim(),
  );
  // Bundles of one name in different folders get numbers.
  const targetNames = new FreeNames();
  const targets = bundles.map((bundle) => {
    const { stem } = splitName(names.file(`${bundle.name}.md`));
    return [bundle, `${targetNames.take(stem)}.md`] as const;
  });
  const files: PlannedFile[] = [];
  const skipped: SkippedEntry[] = [];
  const notesById = new Map<string, string>();
  const described: { bundle: Bundle; info: BearInfo; target: string }[] = [];
  for (const [bundle, target] of targets) {
    const info = bundle.info === null ? null : await read(bundle.info);
    const bear = readInfo(info ?? "");
    if (bundle.text === null || bear.reason !== null) {
      skipped.push({ place: bundle.path, reason: bear.reason ?? "has no text" });
      continue;
    }
    if (bear.id !== null) notesById.set(bear.id.toUpperCase(), target);
    described.push({ bundle, info: bear, target });
  }
  const notes = new Set(bundles.map(({ name }) => foldText(name)));
  for (const { bundle, info, target } of described) files.push(...filesOf(bundle, target, info, { notesById, notes }));
  return { files, skipped } satisfies ImportPlan;
};

function bundlesOf(entries: readonly ArchiveEntry[]): Bundle[] {
  const bundles = new Map<string, Bundle>();
  for (const entry of entries) {
    const end = entry.path.toLowerCase().indexOf(BUNDLE_END);
    if (end < 0) continue;
    const path = entry.path.slice(0, end + BUNDLE_END.length - 1);
    const name = nameOfPath(path).slice(0, -(BUNDLE_END.length - 1));
    const inner = entry.path.slice(end + BUNDLE_END.length);
    const bundle = bundles.get(path) ?? { path, name, text: null, info: null, assets: [] };
    bundles.set(path, bundle);
    if (TEXT_NAME.test(inner)) bundle.text = entry;
    else if (inner === "info.json") bundle.info = entry;
    else bundle.assets.push(entry);
  }
  return [...bundles.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** The other notes of an export: their paths by id, and their folded names. */
interface Others {
  readonly notesById: ReadonlyMap<string, string>;
  readonly notes: ReadonlySet<string>;
}

function filesOf(bundle: Bundle, target: string, info: BearInfo, { notesById, notes }: Others): PlannedFile[] {
  const { text, assets, path } = bundle;
  if (text === null) return [];
  const places = new Map(
    assets.map((asset) => [asset.path, joinPath(splitName(target).stem, nameOfPath(asset.path))] as const),
  );
  const convert = async (source: string): Promise<string> => {
    const linked = await relink(source, (link) => {
      if (link.kind === "wiki") return headingTarget(link.target, notes);
      const place = places.get(resolveRelative(`${path}/text.md`, link.target) ?? "");
      return place === undefined ? null : relativeTo(target, place);
    });
    return withProperties(await withOwnMarks(withNoteLinks(linked, notesById)), info.properties);
  };
  return [
    { source: text.path, target, entry: text, convert },
    ...assets.map((entry) => ({ source: entry.path, target: places.get(entry.path) ?? folderOfPath(target), entry })),
  ];
}

/** Of `Note/Heading`, which names a heading in Bear, the form that does so here. */
function headingTarget(target: string, notes: ReadonlySet<string>): string | null {
  const slash = target.indexOf("/");
  const name = target.slice(0, Math.max(slash, 0));
  return slash < 1 || !notes.has(foldText(name)) ? null : `${name}#${target.slice(slash + 1)}`;
}

function readInfo(json: string): BearInfo {
  const bear = bearFieldsOf(json);
  const text = (name: string): string | null => (typeof bear[name] === "string" ? bear[name] : null);
  const isSet = (name: string): boolean => bear[name] === 1 || bear[name] === true;
  const [created, modified] = [text("creationDate"), text("modificationDate")];
  return {
    id: text("uniqueIdentifier"),
    properties: {
      ...(created !== null && { created }),
      ...(modified !== null && { modified }),
      ...(isSet("pinned") && { pinned: true }),
      ...(isSet("archived") && { archived: true }),
    },
    reason: isSet("trashed") ? "is in the trash" : isSet("encrypted") ? "is encrypted" : null,
  };
}

function bearFieldsOf(json: string): Record<string, unknown> {
  try {
    const info: unknown = JSON.parse(json);
    const bear = isRecord(info) ? info["net.shinyfrog.bear"] : null;
    return isRecord(bear) ? bear : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withNoteLinks(text: string, notesById: ReadonlyMap<string, string>): string {
  return text.replaceAll(NOTE_URL, (url, id: string) => {
    const target = notesById.get(id.toUpperCase());
    return target === undefined ? url : encodeURI(target).replaceAll(/[()]/g, (mark) => (mark === "(" ? "%28" : "%29"));
  });
}

/** Joins the words of tags, and underlines, where others would strike out, outside of code. */
async function withOwnMarks(text: string): Promise<string> {
  const parts: string[] = [];
  let keptTo = 0;
  await inSlices(markdownLines(text, 0), (place) => {
    if (place === null) return;
    const { start, end } = place;
    const line = text.slice(start, end);
    if (line.length > 10_000 || !/[#~]/.test(line)) return;
    const joined = line.replaceAll(SPACED_TAG, (_tag, words: string) => `#${words.trim().replaceAll(/\s+/g, "-")}`);
    const marked = underlined(joined);
    if (marked === line) return;
    parts.push(text.slice(keptTo, start), marked);
    keptTo = end;
  });
  return parts.join("") + text.slice(keptTo);
}

function underlined(line: string): string {
  const parts = line.split("`");
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll(UNDERLINED, "<u>$1</u>") : part)).join("`");
}

function withProperties(text: string, properties: BearInfo["properties"]): string {
  if (Object.keys(properties).length === 0 || text.startsWith("---\n")) return text;
  return `---\n${stringify(properties)}---\n${text}`;
}
