import type { Client } from "../../../client/client.ts";
import type { DocumentChange, NoteChange } from "../../outbox/kept-change.ts";
import { shownNote, type ShownChange } from "../../outbox/shown-change.ts";
import { documentCollection } from "../document-collection.ts";
import { withDetails } from "../document-details.ts";
import { shownName, type Document, type OpenDocument } from "../document.ts";
import { showUnsentText, withUnsent } from "../new-notes/unsent-note.ts";

/** Shows a change of a document, new or not, that an earlier visit or another tab has kept. */
export function showDocumentChange(client: Client, rowId: string, change: NoteChange | DocumentChange): ShownChange {
  const begin = (apply: (document: Document | undefined) => Document | undefined) =>
    shownNote(documentCollection(client).begin({ rowId, apply }));
  switch (change.kind) {
    case "create-note":
      showUnsentText(client, rowId, change);
      return begin((document) => withUnsent(client, rowId, change, document));
    case "delete-note":
      return begin(() => undefined);
    case "move-document":
    case "update-document":
    case "delete-document":
    case "restore-document":
      return begin((document) => document && withChange(client, document, change));
  }
}

const HEADING = /^ {0,3}#[ \t](.*)$/m;
/** Where a note has its title. */
const BEGINNING_CHARACTERS = 10_000;

/** Whether a document has its title from its text. */
export function hasTitle({ body, metadata }: OpenDocument, title: string): boolean {
  const heading = HEADING.exec(body.slice(0, BEGINNING_CHARACTERS))?.[1]?.trim();
  return [metadata["title"], heading].includes(title);
}

/** A document as it is shown with a change. */
export function withChange(client: Client, document: Document, change: DocumentChange): Document {
  switch (change.kind) {
    case "move-document": {
      return change.isTitleWritten === true ? { ...document, path: change.path } : movedTo(document, change.path);
    }
    case "update-document":
      return withDetails(client, document, change.patch);
    case "delete-document":
      return { ...document, deletedAt: change.at };
    case "restore-document":
      return restoredAt(document, change.path);
  }
}

/** A deleted document as it is shown when it has been restored, where it was or at another path. */
export function restoredAt(document: Document, path = document.path): Document {
  return { ...movedTo(document, path), deletedAt: null };
}

function movedTo(document: Document, path: string): Document {
  // A file without a title of its own is called like its name.
  const isNamed = document.title === shownName(document.path);
  return { ...document, path, title: isNamed ? shownName(path) : document.title };
}
