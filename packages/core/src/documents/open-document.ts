import { parseMarkdown } from "./frontmatter.ts";
import type { Document, OpenDocument } from "./document.schema.ts";
import { toText } from "./document-content.ts";
import type { StoredDocument } from "./document.queries.ts";

const BYTE_ORDER_MARK = "\ufeff";

/** A document with what is in its file, by its type. Bytes that are no text show as replacement characters. */
export function toOpenDocument(stored: StoredDocument, bytes: Uint8Array | null): OpenDocument {
  const document = toPublicFields(stored);
  if (stored.fileType === "binary" || bytes === null) return { document, metadata: { title: stored.title }, body: "" };
  const text = toText(bytes) ?? new TextDecoder().decode(bytes).replaceAll("\0", "\ufffd");
  if (stored.fileType === "text") {
    return { document, metadata: { title: stored.title, tags: stored.tags }, body: withoutMark(text) };
  }
  const { metadata, body } = parseMarkdown(text);
  return { document, metadata, body };
}

/** Leaves out what only the service itself needs to know. */
export function toPublicFields(stored: StoredDocument): Document {
  return {
    id: stored.id,
    title: stored.title,
    path: stored.path,
    fileType: stored.fileType,
    shared: stored.shared,
    shareType: stored.shareType,
    tags: stored.tags,
    projectId: stored.projectId,
    project: stored.project,
    size: stored.size,
    contentHash: stored.contentHash,
    createdAt: stored.createdAt,
    modifiedAt: stored.modifiedAt,
    deletedAt: stored.deletedAt,
  };
}

/** The whole text of a file with another body; a byte order mark at its start stays. */
export function replaceText(text: string, body: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + withoutMark(body) : body;
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}
