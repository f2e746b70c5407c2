import { toText } from "../file-records/document-content.ts";
import type { Document } from "../file-records/document-record.schema.ts";
import type { StoredDocument } from "../file-records/document.queries.ts";
import { parseMarkdown } from "../markdown/frontmatter.ts";
import type { OpenDocument } from "./document.schema.ts";

const BYTE_ORDER_MARK = "\ufeff";

/**
 * A document with the content of its file, according to its type. Bytes that are not text become replacement characters. Yields
 * to the event loop in between if it is long.
 */
export async function toOpenDocument(stored: StoredDocument, bytes: Uint8Array | null): Promise<OpenDocument> {
  const document = toPublicFields(stored);
  const { author } = stored;
  if (stored.fileType === "binary" || bytes === null)
    return { document, metadata: { title: stored.title }, body: "", author };
  const text = (await toText(bytes)) ?? new TextDecoder().decode(bytes).replaceAll("\0", "\ufffd");
  if (stored.fileType === "text") {
    return { document, metadata: { title: stored.title, tags: stored.tags }, body: withoutMark(text), author };
  }
  const { metadata, body } = parseMarkdown(text);
  return { document, metadata, body, author };
}

/** Removes internal fields. */
export function toPublicFields(stored: StoredDocument): Document {
  return {
    id: stored.id,
    title: stored.title,
    path: stored.path,
    fileType: stored.fileType,
    shared: stored.shared,
    shareType: stored.shareType,
    tags: stored.tags,
    textTags: stored.textTags,
    projectId: stored.projectId,
    project: stored.project,
    size: stored.size,
    contentHash: stored.contentHash,
    createdAt: stored.createdAt,
    modifiedAt: stored.modifiedAt,
    deletedAt: stored.deletedAt,
  };
}

/** Replaces the text of a file, keeping a byte order mark. */
export function replaceText(text: string, body: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + withoutMark(body) : body;
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}
