import type { Inputs, Outputs } from "../../api/api.ts";
import { atBase } from "../../browser/base-path.ts";
import { pluralize } from "../../numbers/number-format.ts";
import { extensionOf, nameOf } from "./vault/vault-path.ts";

export type OpenDocument = Outputs["documents"]["get"]["data"];
export type Document = OpenDocument["document"];
export type DocumentHit = Outputs["documents"]["search"]["data"][number];
export type DocumentLinks = Outputs["documents"]["links"]["data"];
export type DocumentMention = Outputs["documents"]["mentions"]["data"][number];
export type DocumentVersion = Outputs["documents"]["versions"]["data"][number];
/** The parts of a document that can be changed besides its text. */
export type DetailsPatch = Pick<Inputs["documents"]["update"], "title" | "tags" | "projectId" | "fields">;
export type Sharing = Pick<Document, "shared" | "shareType">;

// The formats that the server serves inline. SVG is not one of them, since it can contain scripts.
const IMAGE = /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/i;
const MEDIA = /\.(mp3|m4a|ogg|oga|opus|wav|flac|mp4|m4v|webm|ogv|mov)$/i;
const MARKDOWN = /\.(md|markdown)$/i;

/** How a file is displayed. */
export type FileKind = "markdown" | "text" | "image" | "media" | "pdf" | "other";

export function kindOf({ path, fileType }: Pick<Document, "path" | "fileType">): FileKind {
  if (isImagePath(path)) return "image";
  if (extensionOf(nameOf(path)).toLowerCase() === ".pdf") return "pdf";
  if (fileType !== "binary") return fileType;
  return MEDIA.test(path) ? "media" : "other";
}

/** Whether a file has views of notes, as Obsidian writes them. */
export function isBasePath(path: string): boolean {
  return extensionOf(nameOf(path)).toLowerCase() === ".base";
}

export function isImagePath(path: string): boolean {
  return IMAGE.test(path);
}

export function isMarkdownPath(path: string): boolean {
  return MARKDOWN.test(path);
}

/** A file's name for display: notes are shown without their extension. */
export function shownName(path: string): string {
  return nameOf(path).replace(MARKDOWN, "");
}

/** The URL of a file's content. It includes the hash, so that no cache serves an old version of a changed file. */
export function rawUrl(path: string, contentHash?: string): string {
  const params = new URLSearchParams({ path: `/${path}`, ...(contentHash !== undefined && { v: contentHash }) });
  return atBase(`/api/fs/raw?${params.toString()}`);
}

/** The URL that downloads a file to this device. */
export function downloadUrl(path: string): string {
  return atBase(`/api/fs/raw?${new URLSearchParams({ path: `/${path}`, download: "true" }).toString()}`);
}

export function countDocuments(count: number): string {
  return pluralize(count, "file");
}
