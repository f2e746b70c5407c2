import { newUuid } from "../../../api/local-id.ts";
import { writeOptimistically } from "../../../api/optimistic-write.ts";
import type { Client } from "../../../client/client.ts";
import type { KeptChange, NewNote } from "../../outbox/kept-change.ts";
import { outbox } from "../../outbox/outbox.ts";
import { shownNote } from "../../outbox/shown-change.ts";
import { documentCollection } from "../document-collection.ts";
import { joinedDetails } from "../document-details.ts";
import { shownName, type DetailsPatch, type Document } from "../document.ts";
import { documentDrafts } from "../session/draft-store.ts";
import { openSessions } from "../session/open-sessions.ts";
import { isWithin, rebase } from "../vault/vault-path.ts";
import { bodyOf, showUnsentText, unsentDocument } from "./unsent-note.ts";

/** A note that is to be created once the server responds. */
export type UnsentNote = KeptChange & { readonly change: NewNote };

/** A deleted note that the server was not known to have, with its text. */
export interface DeletedUnsentNote {
  readonly note: UnsentNote;
  readonly text: string;
}

/**
 * Creates a note optimistically, or has it kept while the server is away. Rejects with a RequestError if the server refuses,
 * for example because there is a file at the path; one that is kept and `joins` becomes a part of that file instead.
 */
export async function createNoteAt(
  client: Client,
  path: string,
  content: string,
  { joins = false }: { readonly joins?: boolean } = {},
): Promise<Document | undefined> {
  const rowId = newUuid();
  const at = new Date().toISOString();
  const change: NewNote = { kind: "create-note", path, content, formerPaths: [], ...(joins && { joins }), at };
  const { isFirst, keep } = outbox(client);
  return writeOptimistically({
    collection: documentCollection(client),
    rowId,
    outbox: {
      isFirst,
      keep: (pending) => {
        showUnsentText(client, rowId, change);
        return keep({ rowId, title: shownName(path), change }, shownNote(pending));
      },
    },
    apply: (document) => document ?? unsentDocument(client, rowId, change),
    send: async (id) => {
      await client.api.notes.create.mutate({ id, path, content });
      return (await client.api.documents.get.query({ id })).data;
    },
    confirm: (opened) => {
      openSessions(client).publish(opened);
      return opened.document;
    },
  });
}

/** The notes at a path, or in the folder there, that are still to be created. */
export function unsentNotesWithin(client: Client, path: string): UnsentNote[] {
  const isUnsent = (kept: KeptChange): kept is UnsentNote => kept.change.kind === "create-note";
  return outbox(client)
    .changes.get()
    .filter(isUnsent)
    .filter(({ change }) => isWithin(change.path, path));
}

/** The notes that are to be created at just this path. There may be another one by now; what is done at the path concerns the new one. */
export function unsentNotesAt(client: Client, path: string): UnsentNote[] {
  return unsentNotesWithin(client, path).filter(({ change }) => change.path === path);
}

/** Has a note created with these properties. Returns false if the server has it by now. */
export async function setUnsentDetails(client: Client, id: string, patch: DetailsPatch): Promise<boolean> {
  const note = outbox(client)
    .changes.get()
    .find(({ rowId, change }) => rowId === id && change.kind === "create-note");
  if (note === undefined) return false;
  return outbox(client).amend(note.number, (stored) => {
    const { change } = stored;
    if (change.kind !== "create-note") return stored;
    return { ...stored, change: { ...change, details: joinedDetails(change.details ?? {}, patch) } };
  });
}

/** Has notes created elsewhere. Returns false if the server has some of them by now. */
export async function moveUnsent(
  client: Client,
  notes: readonly UnsentNote[],
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const moved = await Promise.all(
    notes.map(({ number }) =>
      outbox(client).amend(number, (stored) => {
        const { change } = stored;
        if (change.kind !== "create-note") return stored;
        const path = rebase(change.path, from, to);
        const formerPaths = [...new Set([...change.formerPaths, change.path])];
        return { ...stored, title: shownName(path), change: { ...change, path, formerPaths, joins: false } };
      }),
    ),
  );
  return !moved.includes(false);
}

/** Has notes not created, and deleted if they were. Returns false if the server has some of them by now. */
export async function deleteUnsent(client: Client, notes: readonly UnsentNote[]): Promise<boolean> {
  const deleted = await Promise.all(
    notes.map(({ number }) =>
      outbox(client).amend(number, (stored) =>
        stored.change.kind === "create-note"
          ? { ...stored, change: { kind: "delete-note", created: stored.change } }
          : stored,
      ),
    ),
  );
  return !deleted.includes(false);
}

/** The text of a note that is still to be created, as it was last written. */
export async function textOfUnsent(
  client: Client,
  { rowId, change }: Pick<UnsentNote, "rowId" | "change">,
): Promise<string> {
  const open = await openSessions(client).textOf(rowId);
  if (open !== undefined) return open;
  const inUse = (await documentDrafts(client).findInUse(rowId)).at(-1);
  const [abandoned] = await documentDrafts(client).findAbandoned(rowId);
  return inUse?.draft.text ?? abandoned?.draft.text ?? bodyOf(change.content);
}

/** Has deleted notes created after all. */
export async function restoreUnsent(client: Client, deleted: readonly DeletedUnsentNote[]): Promise<void> {
  for (const { note, text } of deleted) {
    const isKept = await outbox(client).amend(note.number, (stored) =>
      stored.change.kind === "delete-note" ? { ...stored, change: stored.change.created } : stored,
    );
    if (!isKept) await createNoteAt(client, note.change.path, text);
  }
}
