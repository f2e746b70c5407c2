import type { Readable } from "node:stream";

/** A file in an archive. */
export interface ArchiveEntry {
  /** Its path, checked and composed (NFC). */
  readonly path: string;
  readonly sizeBytes: number;
  /** The content. Fails if it is not as long as the archive says, or cannot be unpacked. */
  open(): Promise<Readable>;
}

/** What of a file is not imported, and why. */
export interface SkippedEntry {
  readonly place: string;
  readonly reason: string;
}

/** A file that is to be written into the vault. */
export interface PlannedFile {
  /** Where it is in the archive. */
  readonly source: string;
  /** Where it is to be, below the folder of the import. */
  readonly target: string;
  readonly entry: ArchiveEntry;
  /** Turns the text of the entry into that of a note; absent for a file that is taken as it is. */
  readonly convert?: (text: string) => string | Promise<string>;
}

export interface ImportPlan {
  readonly files: readonly PlannedFile[];
  readonly skipped: readonly SkippedEntry[];
}

/** The text of an entry; null if it is too long, or no text. */
export type ReadText = (entry: ArchiveEntry) => Promise<string | null>;

/** A page as HTML as Markdown; null if it takes too long. */
export type ConvertHtml = (html: string) => Promise<string | null>;

/** Decides what becomes of the files of an export. Without a way to convert HTML, it stays as it is. */
export type PlanImport = (
  entries: readonly ArchiveEntry[],
  read: ReadText,
  convertHtml?: ConvertHtml,
) => Promise<ImportPlan>;

/** The name of a file without its extension, and the extension with its dot. */
export function splitName(name: string): { stem: string; extension: string } {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? { stem: name.slice(0, dot), extension: name.slice(dot) } : { stem: name, extension: "" };
}

export function folderOfPath(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

export function nameOfPath(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** The folder that everything is in, if there is one and `isWrapper` recognises it. */
export function wrapperOf(entries: readonly ArchiveEntry[], isWrapper: (name: string) => boolean): string {
  const [first] = entries;
  const name = first === undefined || !first.path.includes("/") ? "" : first.path.slice(0, first.path.indexOf("/"));
  const isShared = name !== "" && entries.every(({ path }) => path.startsWith(`${name}/`));
  return isShared && isWrapper(name) ? `${name}/` : "";
}
