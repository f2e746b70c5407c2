import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { inTurns } from "../../platform/in-slices.ts";
import { PIECE_CHARACTERS, splitUtf8 } from "../../platform/text-pieces.ts";
import { fileTitle, markdownFields, type DocumentFields } from "../markdown/document-fields.ts";
import { isMarkdownName, type FileType } from "../markdown/file-type.ts";
import { hashContent, hashSamples, isFullyHashed } from "../vault/content-hash.ts";
import type { OpenFile } from "../vault/regular-file.ts";
import { nameOf, type VaultPath } from "../vault/vault-path.ts";

/** Title, tags, links and search are based on this much of a file. */
export const HEAD_BYTES = 1024 * 1024;

/** What is recorded about the content of a document's file. */
export interface DocumentContent extends DocumentFields {
  readonly fileType: FileType;
  readonly contentHash: string;
  readonly sizeBytes: number;
  /** The text, or the first {@link HEAD_BYTES} characters of it; null for a file that is not text. */
  readonly text: string | null;
}

/** Reads what to record about an open file: a large file in chunks, a very large one only in samples. */
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

/** Like {@link readDocumentContent}, for content in memory. */
export async function describeContent(path: VaultPath, bytes: Uint8Array): Promise<DocumentContent> {
  const head = await decodeStart(bytes, HEAD_BYTES);
  return describe({ path, sizeBytes: bytes.byteLength, contentHash: await hashContent(bytes), head });
}

/**
 * Decodes the text of a file, keeping a byte order mark; null if it is not UTF-8 or contains NUL characters. Yields to the event
 * loop in between if it is long.
 */
export function toText(bytes: Uint8Array): Promise<string | null> {
  return decodeStart(bytes, Infinity);
}

/** Like {@link toText}, but returns no more than the first characters of a text. */
async function decodeStart(bytes: Uint8Array, maxCharacters: number): Promise<string | null> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  if (bytes.byteLength <= PIECE_CHARACTERS) return isText(bytes) ? decoder.decode(bytes) : null;
  const pieces: string[] = [];
  let characters = 0;
  for await (const piece of inTurns(splitUtf8(bytes))) {
    if (!isText(piece)) return null;
    if (characters >= maxCharacters) continue;
    const text = decoder.decode(piece);
    pieces.push(text);
    characters += text.length;
  }
  const start = pieces.join("");
  return characters > maxCharacters ? start.slice(0, maxCharacters).toWellFormed() : start;
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
    isMarkdown && head !== null
      ? markdownFields(name, head)
      : { title: fileTitle(name), tags: [], textTags: [], links: [] };
  const fileType = isMarkdown ? "markdown" : head === null ? "binary" : "text";
  return { ...fields, fileType, contentHash, sizeBytes, text: head };
}

/** Collects the head of a text from the chunks of a file; null if the file turns out not to be text. */
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
