import type { Client } from "../../../client/client.ts";
import { RESTORED } from "../../../local-copy/local-copy.ts";
import type { NewNote } from "../../outbox/kept-change.ts";
import { documentQuery } from "../document-collection.ts";
import { withDetails } from "../document-details.ts";
import { isMarkdownPath, shownName, type Document } from "../document.ts";

/** A note as it is shown until the server has it. */
export function unsentDocument(client: Client, id: string, { path, content, details = {}, at }: NewNote): Document {
  const document: Document = {
    id,
    title: shownName(path),
    path,
    fileType: isMarkdownPath(path) ? "markdown" : "text",
    shared: false,
    shareType: null,
    tags: [],
    textTags: [],
    projectId: null,
    project: null,
    size: content.length,
    contentHash: "",
    createdAt: at,
    modifiedAt: at,
    deletedAt: null,
  };
  return withDetails(client, document, details);
}

/** A note as it is shown: if the server turns out to have it under a former path, as it is there, under the present one. */
export function withUnsent(client: Client, id: string, note: NewNote, stored: Document | undefined): Document {
  if (stored === undefined) return unsentDocument(client, id, note);
  const renamed = note.formerPaths.includes(stored.path) ? { ...stored, path: note.path } : stored;
  return note.details === undefined ? renamed : withDetails(client, renamed, note.details);
}

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n(?:[^]*?\n)?---[ \t]*(?:\r?\n|$)/;

/** What follows the frontmatter of a text. */
export function bodyOf(content: string): string {
  return content.replace(FRONTMATTER, "");
}

/** Has a note open with the text that it begins with, until it can be read from the server. It is not part of the local copy. */
export function showUnsentText(client: Client, id: string, note: NewNote): void {
  const { queryKey } = documentQuery(client, id);
  client.queries.setQueryDefaults(queryKey, { gcTime: Infinity });
  client.queries.setQueryData(
    queryKey,
    (opened) => {
      const metadata = { ...opened?.metadata, ...note.details?.fields };
      const document = unsentDocument(client, id, note);
      return opened === undefined
        ? { document, metadata, body: bodyOf(note.content), author: null }
        : { ...opened, metadata };
    },
    { updatedAt: RESTORED },
  );
}
