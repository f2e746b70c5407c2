import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import { toasts } from "../../../components/toast.ts";
import type { DocumentChange, NewNote, NoteChange } from "../../outbox/kept-change.ts";
import type { SendResult } from "../../outbox/send-result.ts";
import { saveText } from "../session/abandoned-drafts.ts";
import { documentQuery } from "../document-collection.ts";
import { documentDrafts } from "../session/draft-store.ts";
import type { OpenDocument } from "../document.ts";
import { isDocumentChange } from "../kept-changes/join-changes.ts";
import { sendDocumentChange } from "../kept-changes/send-document-change.ts";
import { openSessions, toSavedText } from "../session/open-sessions.ts";
import { applyToCache, readFolders } from "../vault/vault-store.ts";
import { joinTexts } from "./join-texts.ts";
import { bodyOf } from "./unsent-note.ts";
import { textOfUnsent } from "./unsent-notes.ts";

const CONFLICT = 409;

/** Creates a note under its id, unless the server has done that already, and then saves its text; or changes or deletes one. */
export async function sendNoteChange(
  client: Client,
  id: string,
  change: NoteChange | DocumentChange,
): Promise<SendResult | "overtaken"> {
  if (isDocumentChange(change)) return sendDocumentChange(client, id, change);
  if (change.kind === "delete-note") return deleteNote(client, id);
  let opened: OpenDocument;
  try {
    opened = await withItsDetails(client, await create(client, id, change), change);
  } catch (error) {
    const { status, message } = toRequestError(error);
    if (status !== CONFLICT) throw error;
    if (change.joins === true) return join(client, id, change);
    return { kind: "problem", problem: { reason: message, isPathTaken: true } };
  }
  openSessions(client).publish(opened);
  void saveText(client, id);
  return { kind: "sent", row: { document: opened.document } };
}

/** Creates a folder, unless there is one. */
export async function sendFolder(client: Client, path: string): Promise<SendResult> {
  try {
    await client.api.fs.mkdir.mutate({ path: `/${path}` });
  } catch (error) {
    const isThere = toRequestError(error).status === CONFLICT && (await readFolders(client)).includes(path);
    if (!isThere) throw error;
  }
  applyToCache(client, { kind: "folder", path });
  return { kind: "sent", row: {} };
}

/** Adds what was written in a new note to the one that there is at its path, once, and forgets the new one. */
async function join(client: Client, id: string, note: NewNote): Promise<SendResult> {
  let base = bodyOf(note.content);
  for (;;) {
    const text = await textOfUnsent(client, { rowId: id, change: note });
    const { data } = await client.api.documents.byPath.mutate({ path: `/${note.path}` });
    const saved = toSavedText(data);
    const body = joinTexts(base, text, saved.text);
    if (body !== saved.text) {
      const joined = { id: data.document.id, body, expectedHash: saved.hash };
      openSessions(client).publish((await client.api.documents.update.mutate(joined)).data);
    }
    base = text;
    // Something may have been written meanwhile.
    if ((await textOfUnsent(client, { rowId: id, change: note })) === text) break;
  }
  await forgetText(client, id);
  await client.queries.invalidateQueries({ queryKey: ["documents", "daily"] });
  return { kind: "sent", row: {} };
}

async function create(client: Client, id: string, { path, content, formerPaths }: NewNote): Promise<OpenDocument> {
  await client.api.notes.create.mutate({ id, path, content });
  const { data } = await client.api.documents.get.query({ id });
  const { path: found, deletedAt } = data.document;
  if (found === path || deletedAt !== null || !formerPaths.includes(found)) return data;
  await client.api.fs.rename.mutate({ oldPath: `/${found}`, newPath: `/${path}` });
  return (await client.api.documents.get.query({ id })).data;
}

/** Gives the note the properties that were set before it was created. Shows an error if the server refuses them: the note stays. */
async function withItsDetails(client: Client, opened: OpenDocument, { details }: NewNote): Promise<OpenDocument> {
  const { id, title, deletedAt } = opened.document;
  if (details === undefined || deletedAt !== null) return opened;
  try {
    return (await client.api.documents.update.mutate({ id, ...details })).data;
  } catch (error) {
    const { kind, message } = toRequestError(error);
    if (kind === "no-response" || kind === "signed-out" || kind === "limited" || kind === "server") throw error;
    toasts(client).show({ message: `Could not change “${title}”`, detail: message, tone: "danger" });
    return opened;
  }
}

async function deleteNote(client: Client, id: string): Promise<SendResult> {
  try {
    const { deletedAt } = (await client.api.documents.get.query({ id })).data.document;
    if (deletedAt === null) await client.api.documents.delete.mutate({ id });
  } catch (error) {
    if (toRequestError(error).kind !== "missing") throw error;
  }
  await forgetText(client, id);
  return { kind: "sent", row: {} };
}

/** Forgets what was written in a note that is not to be. */
export async function forgetText(client: Client, id: string): Promise<void> {
  openSessions(client).drop(id);
  await documentDrafts(client).discard(id);
  await client.queries.resetQueries({ queryKey: documentQuery(client, id).queryKey });
}
