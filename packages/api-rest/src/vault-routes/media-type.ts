import { extname } from "node:path";

/**
 * The types that a browser may display. They cannot run scripts: HTML, SVG, XML and everything else that is not listed is
 * downloaded as bytes instead.
 */
const SHOWN_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".bmp": "image/bmp",
  ".ico": "image/x-icon",
  ".mp3": "audio/mpeg",
  ".m4a": "audio/mp4",
  ".ogg": "audio/ogg",
  ".oga": "audio/ogg",
  ".opus": "audio/ogg",
  ".wav": "audio/wav",
  ".flac": "audio/flac",
  ".mp4": "video/mp4",
  ".m4v": "video/mp4",
  ".webm": "video/webm",
  ".ogv": "video/ogg",
  ".mov": "video/quicktime",
  ".pdf": "application/pdf",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".markdown": "text/plain; charset=utf-8",
  ".csv": "text/plain; charset=utf-8",
  ".tsv": "text/plain; charset=utf-8",
  ".log": "text/plain; charset=utf-8",
  ".json": "text/plain; charset=utf-8",
  ".yaml": "text/plain; charset=utf-8",
  ".yml": "text/plain; charset=utf-8",
};

export interface MediaType {
  readonly type: string;
  /** Whether a browser may display it instead of downloading it. */
  readonly isShown: boolean;
}

/** Determined by the extension alone: the content is whatever its author claims. */
export function mediaTypeOf(path: string): MediaType {
  const type = SHOWN_TYPES[extname(path).toLowerCase()];
  return type === undefined ? { type: "application/octet-stream", isShown: false } : { type, isShown: true };
}

export function isImage(path: string): boolean {
  return mediaTypeOf(path).type.startsWith("image/");
}

/** Writes the name in both forms of RFC 6266, so that no name can break out of the header. */
export function contentDisposition(kind: "inline" | "attachment", name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
