import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { hashBytes, hashSamples, isFullyHashed } from "../vault/content-hash.ts";
import type { OpenFile } from "../vault/regular-file.ts";
import { nameOf, type VaultPath } from "../vault/vault-path.ts";
import { fileTitle, markdownFields, type DocumentFields } from "./document-fields.ts";
import { isMarkdownName, type FileType } from "./file-type.ts";

/** Title, tags, links and search take account of this much of a file. */
export const HEAD_BYTES = 1024 * 1024;

/** What a document records of its file's content. */
export interface DocumentContent extends DocumentFields {
  readonly fileType: FileType;
  readonly contentHash: string;
  readonly sizeBytes: number;
  /** The text, of its first {@link HEAD_BYTES} where it is longer; null where there is none that could be stored. */
  readonly text: string | null;
}

/** Reads an open file for its document, piece by piece where it is large; very large files only in samples. */
export async function readDocumentContent(path: VaultPath, file: OpenFile): Promise<DocumentContent> {
  const { sizeBytes } = file.stat;
  if (sizeBytes <= HEAD_BYTES) return describeContent(path, await file.readAll(HEAD_BYTES));
  if (!isFullyHashed(sizeBytes)) {
    return describe({ path, sizeBytes, contentHash: await hashSamples(file), head: null });
  }
  const hash = createHash("sha256");
  const reader = createHeadReader();
  for await (const chunk of file.chunks()) {
    hash.update(chunk);
    reader.add(chunk);
  }
  return describe({ path, sizeBytes, contentHash: hash.digest("hex"), head: reader.finish() });
}

/** As {@link readDocumentContent}, of a whole content. */
export function describeContent(path: VaultPath, bytes: Uint8Array): DocumentContent {
  const head = isText(bytes) ? decodeHead(bytes) : null;
  return describe({ path, sizeBytes: bytes.byteLength, contentHash: hashBytes(bytes), head });
}

/** The first {@link HEAD_BYTES} characters of a text; each takes three bytes at most. */
function decodeHead(bytes: Uint8Array): string {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (bytes.byteLength <= HEAD_BYTES) return decoder.decode(bytes);
  return decoder
    .decode(bytes.subarray(0, 3 * HEAD_BYTES), { stream: true })
    .slice(0, HEAD_BYTES)
    .toWellFormed();
}

/** The text of a file; null for bytes that are none: not UTF-8, or with NUL characters. A byte order mark stays. */
export function toText(bytes: Uint8Array): string | null {
  return isText(bytes) ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) : null;
}

function isText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

interface ContentParts {
  readonly path: VaultPath;
  readonly sizeBytes: number;
  readonly contentHash: string;
  readonly head: string | null;
}

function describe({ path, sizeBytes, contentHash, head }: ContentParts): DocumentContent {
  const name = nameOf(path);
  const isMarkdown = isMarkdownName(name);
  const fields =
    isMarkdown && head !== null ? markdownFields(name, head) : { title: fileTitle(name), tags: [], links: [] };
  const fileType = isMarkdown ? "markdown" : head === null ? "binary" : "text";
  return { ...fields, fileType, contentHash, sizeBytes, text: head };
}

/** Takes a file chunk by chunk and keeps the head of its text; null as soon as the bytes are no text. */
function createHeadReader() {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let head: string | null = "";
  const append = (decode: () => string): void => {
    if (head === null) return;
    try {
      const text = decode();
      if (text.includes("\0")) head = null;
      else if (head.length < HEAD_BYTES) head = (head + text).slice(0, HEAD_BYTES).toWellFormed();
    } catch {
      head = null;
    }
  };
  return {
    add: (chunk: Uint8Array) => append(() => decoder.decode(chunk, { stream: true })),
    finish(): string | null {
      append(() => decoder.decode());
      return head;
    },
  };
}
