import { partingClient } from "../../api/parting-client.ts";
import { onForget } from "../../api/forget.ts";
import { queryClient } from "../../api/query-client.ts";
import { toRequestError } from "../../api/request-error.ts";
import { trpcClient } from "../../api/trpc.ts";
import { subscribeToConnection } from "../../api/connection.ts";
import { documentCollection, documentQuery } from "./document-collection.ts";
import { DocumentSession, type SavedText, type SaveResult } from "./document-session.ts";
import { lineEndingOf, withLineEnding, withPlainBreaks } from "./document-text.ts";
import type { OpenDocument } from "./document.ts";
import { dropDocumentDraft, findLeftDrafts, keepDocumentDraft } from "./draft-store.ts";

const PRECONDITION_FAILED = 412;

/** Texts that are being written. One stays after its page is left, until it is saved. */
const sessions = new Map<string, Promise<DocumentSession>>();
const inUse = new Map<string, number>();

/** Whether a document's text is in hand, with all that is written in it. */
export function hasSession(id: string): boolean {
  return sessions.has(id);
}

/** The text of a document for writing, with the drafts of earlier visits where there are some. */
export function openSession(opened: OpenDocument): Promise<DocumentSession> {
  const { id } = opened.document;
  const known = sessions.get(id);
  if (known !== undefined) return known;
  const session = startSession(opened);
  sessions.set(id, session);
  return session;
}

/** Keeps a session open while somebody looks at it. Answers how to leave it, which saves what is written. */
export function holdSession(id: string, session: DocumentSession): () => void {
  inUse.set(id, (inUse.get(id) ?? 0) + 1);
  return () => {
    inUse.set(id, (inUse.get(id) ?? 1) - 1);
    void session.flush().then(() => closeIfSaved(id, session));
  };
}

/** Saves everything that is being written. */
export async function flushSessions(): Promise<void> {
  const open = await Promise.all(sessions.values());
  await Promise.all(open.map((session) => session.flush()));
}

/** The text of a document as sessions have it. */
export function toSavedText({ document, body }: OpenDocument): SavedText {
  return { text: withPlainBreaks(body), hash: document.contentHash };
}

/** Makes what a write has answered known everywhere. */
export function keepOpened(opened: OpenDocument): void {
  documentCollection.put([opened.document]);
  queryClient.setQueryData(documentQuery(opened.document.id).queryKey, opened);
  void sessions.get(opened.document.id)?.then((session) => session.receive(toSavedText(opened)));
}

async function startSession(opened: OpenDocument): Promise<DocumentSession> {
  const { id } = opened.document;
  const ending = lineEndingOf(opened.body);
  const session = new DocumentSession(toSavedText(opened), await findLeftDrafts(id), {
    save: (text, expectedHash, isParting) =>
      save({ id, body: withLineEnding(text, ending), expectedHash }, isParting ? partingClient : trpcClient),
    keepDraft: (draft) => keepDocumentDraft(id, draft),
    dropDraft: () => dropDocumentDraft(id),
  });
  // One that was left with something to save is done with when that is saved, unless it goes on with another draft.
  session.subscribe(() => queueMicrotask(() => closeIfSaved(id, session)));
  return session;
}

async function save(
  input: { id: string; body: string; expectedHash: string },
  client: typeof trpcClient,
): Promise<SaveResult> {
  try {
    const { data } = await client.documents.update.mutate(input);
    keepOpened(data);
    return { kind: "saved", hash: data.document.contentHash };
  } catch (error) {
    const failure = toRequestError(error);
    if (failure.status !== PRECONDITION_FAILED) return { kind: "failed", message: failure.message };
  }
  try {
    const { data } = await trpcClient.documents.get.query({ id: input.id });
    documentCollection.put([data.document]);
    return { kind: "changed", theirs: toSavedText(data) };
  } catch (error) {
    return { kind: "failed", message: toRequestError(error).message };
  }
}

/** One that nobody looks at any more stays only as long as it has something to save. */
function closeIfSaved(id: string, session: DocumentSession): void {
  if ((inUse.get(id) ?? 0) > 0) return;
  const { kind } = session.getSnapshot().saving;
  if (kind !== "saved" && kind !== "conflict") return;
  session.close();
  sessions.delete(id);
}

onForget(() => {
  for (const session of sessions.values()) void session.then((open) => open.close());
  sessions.clear();
  inUse.clear();
});

/** Sends everything that is being written before the page is gone. */
function partFromSessions(): void {
  for (const session of sessions.values()) void session.then((open) => open.part());
}

// What waits is sent as soon as the page is about to go, or the server is back. On a phone, a page that is hidden may be
// ended without any other sign.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") partFromSessions();
});
window.addEventListener("pagehide", partFromSessions);
subscribeToConnection((state) => {
  if (state === "online") void flushSessions();
});
