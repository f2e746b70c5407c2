import type { Inputs, Outputs } from "../../api/trpc.ts";
import { sayCountOf } from "../../numbers/number-wording.ts";
import { endingOf, nameOf } from "./vault-path.ts";

export type OpenDocument = Outputs["documents"]["get"]["data"];
export type Document = OpenDocument["document"];
export type DocumentHit = Outputs["documents"]["search"]["data"][number];
export type DocumentLinks = Outputs["documents"]["links"]["data"];
export type DocumentVersion = Outputs["documents"]["versions"]["data"][number];
/** What of a document may be changed beside its text. */
export type DetailsPatch = Pick<Inputs["documents"]["update"], "title" | "tags" | "projectId" | "fields">;
export type Sharing = Pick<Document, "shared" | "shareType">;

// What the server lets a browser show. SVG is not among it: it can hold scripts.
const IMAGE = /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/i;
const MEDIA = /\.(mp3|m4a|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv|mov)$/i;
const MARKDOWN = /\.(md|markdown)$/i;
const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** How a file is shown. */
export type FileKind = "markdown" | "text" | "image" | "media" | "pdf" | "other";

export function kindOf({ path, fileType }: Pick<Document, "path" | "fileType">): FileKind {
  if (isImagePath(path)) return "image";
  if (endingOf(nameOf(path)).toLowerCase() === ".pdf") return "pdf";
  if (fileType !== "binary") return fileType;
  return MEDIA.test(path) ? "media" : "other";
}

export function isImagePath(path: string): boolean {
  return IMAGE.test(path);
}

export function isMarkdownPath(path: string): boolean {
  return MARKDOWN.test(path);
}

/** What a file is called where there is little room: notes go without their ending. */
export function shownName(path: string): string {
  return nameOf(path).replace(MARKDOWN, "");
}

/** The address of a file's bytes. The hash in it makes a changed file another address, so that no cache shows an old one. */
export function rawAddress(path: string, contentHash?: string): string {
  const params = new URLSearchParams({ path: `/${path}`, ...(contentHash !== undefined && { v: contentHash }) });
  return `/api/fs/raw?${params.toString()}`;
}

/** The address that saves a file to this device. */
export function downloadAddress(path: string): string {
  return `/api/fs/raw?${new URLSearchParams({ path: `/${path}`, download: "true" }).toString()}`;
}

/** "812 bytes", "4.2 KB", "31 MB" */
export function saySize(bytes: number): string {
  if (bytes < 1000) return sayCountOf(bytes, "byte");
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < UNITS.length - 1; unit += 1) value /= 1000;
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ""}`;
}

export function countDocuments(count: number): string {
  return sayCountOf(count, "file");
}
