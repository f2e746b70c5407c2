import { toRequestError } from "../../../api/request-error.ts";
import type { Client } from "../../../client/client.ts";
import type { NewNote, NoteChange } from "../../tasks/outbox/kept-change.ts";
import type { SendResult } from "../../tasks/outbox/send-result.ts";
import { saveAbandonedDraft } from "../abandoned-drafts.ts";
import { documentQuery } from "../document-collection.ts";
import { documentDrafts } from "../draft-store.ts";
import type { OpenDocument } from "../document.ts";
import { openSessions } from "../open-sessions.ts";

const CONFLICT = 409;

/** Creates a note under its id, unless the server has done that already, and then saves its text; or deletes it. */
export async function sendNoteChange(client: Client, id: string, change: NoteChange): Promise<SendResult> {
  if (change.kind === "delete-note") return deleteNote(client, id);
  let opened: OpenDocument;
  try {
    opened = await create(client, id, change);
  } catch (error) {
    const { status, message } = toRequestError(error);
    if (status !== CONFLICT) throw error;
    return { kind: "problem", problem: { reason: message, isPathTaken: true } };
  }
  openSessions(client).publish(opened);
  void saveText(client, id);
  return { kind: "sent", row: { document: opened.document } };
}

async function create(client: Client, id: string, { path, content, formerPaths }: NewNote): Promise<OpenDocument> {
  await client.api.notes.create.mutate({ id, path, content });
  const { data } = await client.api.documents.get.query({ id });
  const { path: found, deletedAt } = data.document;
  if (found === path || deletedAt !== null || !formerPaths.includes(found)) return data;
  await client.api.fs.rename.mutate({ oldPath: `/${found}`, newPath: `/${path}` });
  return (await client.api.documents.get.query({ id })).data;
}

/** Saves what was written in the note since it was created, here or in an earlier visit. What fails is retried with other drafts. */
async function saveText(client: Client, id: string): Promise<void> {
  if (openSessions(client).has(id)) await openSessions(client).flush();
  else await saveAbandonedDraft(client, id).catch(() => undefined);
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
