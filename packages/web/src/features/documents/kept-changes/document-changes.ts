import { toRequestError } from "../../../api/request-error.ts";
import type { PendingHandle } from "../../../api/collection.ts";
import type { Client } from "../../../client/client.ts";
import type { DocumentChange, KeptChange, SeenDocument } from "../../outbox/kept-change.ts";
import { outbox, useKeptChanges } from "../../outbox/outbox.ts";
import { shownNote } from "../../outbox/shown-change.ts";
import { documentCollection, documentQuery, keptDocument } from "../document-collection.ts";
import { shownName, type DetailsPatch, type Document, type OpenDocument } from "../document.ts";
import { documentDrafts } from "../session/draft-store.ts";
import { openSessions } from "../session/open-sessions.ts";
import { isWithin, rebase } from "../vault/vault-path.ts";
import { contentOf } from "./document-content.ts";
import { findJoinable, isDocumentChange, joinedChange } from "./join-changes.ts";
import { hasTitle, withChange } from "./show-document-change.ts";

/** Whether a change of a document is to be kept without trying to send it, for example because there are changes before it. */
export function isKeptFirst(client: Client, id: string): boolean {
  return outbox(client).isFirst() || hasKeptChange(client, id);
}

/** Whether something of a document is kept that the server does not have yet, or has refused. */
export function hasKeptChange(client: Client, id: string): boolean {
  return outbox(client)
    .changes.get()
    .some(({ rowId }) => rowId === id);
}

/** Sends a change of a document, or has it kept while the server is away. Rejects with a RequestError if the server refuses. */
export async function sendOrKeep<Output>(
  client: Client,
  document: Document,
  change: DocumentChange,
  request: () => Promise<Output>,
): Promise<Output | "kept"> {
  if (isKeptFirst(client, document.id) && (await keepAndShow(client, document, change))) return "kept";
  try {
    return await request();
  } catch (error) {
    const isAway = toRequestError(error).kind === "no-response";
    if (isAway && (await keepAndShow(client, document, change))) return "kept";
    throw error;
  }
}

/** Whether the title of a document is in its text, if that has been read: then it stays when the file gets another name. */
async function isTitleWritten(client: Client, { id, title }: Document): Promise<boolean> {
  const opened = client.queries.getQueryData(documentQuery(client, id).queryKey) ?? (await keptDocument(client, id));
  return opened !== undefined && hasTitle(opened, title);
}

async function keepAndShow(client: Client, document: Document, made: DocumentChange): Promise<boolean> {
  const { id: rowId } = document;
  // Other tabs, which may not have read the text, show the same title.
  const change =
    made.kind === "move-document" ? { ...made, isTitleWritten: await isTitleWritten(client, document) } : made;
  const apply = (row: Document | undefined) => row && withChange(client, row, change);
  const pending = documentCollection(client).begin({ rowId, apply });
  const isKept = await keepDocumentChange(client, document, change, pending);
  if (!isKept) pending.rollback();
  return isKept;
}

/** Keeps a change that is shown, as part of one that is kept already where that is the same; false if the browser keeps nothing. */
export async function keepDocumentChange(
  client: Client,
  { id, path }: Document,
  change: DocumentChange,
  pending: PendingHandle<Document>,
): Promise<boolean> {
  const { changes, amend, keep } = outbox(client);
  const kept = changes.get();
  const title = shownName(change.kind === "move-document" ? change.path : path);
  const joinable = findJoinable(kept, id, change);
  if (joinable !== undefined) {
    const isAmended = await amend(joinable.number, (stored) => {
      const joined = isDocumentChange(stored.change) ? joinedChange(stored.change, change) : null;
      return joined === null ? stored : { ...stored, title, change: joined };
    });
    if (isAmended) {
      pending.rollback();
      return true;
    }
  }
  return keep({ rowId: id, title, change: withPathsOf(kept, id, change) }, shownNote(pending));
}

/** A move also from where the document would be without the moves that are kept before it, since these may be given up. */
function withPathsOf(kept: readonly KeptChange[], id: string, change: DocumentChange): DocumentChange {
  if (change.kind !== "move-document") return change;
  const before = kept.flatMap((other) =>
    other.rowId === id && other.change.kind === "move-document" ? [...other.change.formerPaths, other.change.path] : [],
  );
  return { ...change, formerPaths: [...new Set([...before, ...change.formerPaths])] };
}

/** Has documents that were moved into a folder moved to where the folder is by now, which is still to be created itself. */
export async function moveKeptWithin(client: Client, { from, to }: { from: string; to: string }): Promise<void> {
  const within = outbox(client)
    .changes.get()
    .filter(({ change }) => change.kind === "move-document" && isWithin(change.path, from));
  for (const { number } of within) {
    await outbox(client).amend(number, (stored) => {
      const { change } = stored;
      if (change.kind !== "move-document") return stored;
      const formerPaths = [...new Set([...change.formerPaths, change.path])];
      return { ...stored, change: { ...change, path: rebase(change.path, from, to), formerPaths } };
    });
  }
}

/** What is known of a document when it is deleted here, so that nothing newer is deleted. */
export async function seenDocument(client: Client, document: Document): Promise<SeenDocument> {
  const { id } = document;
  const hash = documentCollection(client).stored.get(id)?.contentHash ?? document.contentHash;
  const opened = client.queries.getQueryData(documentQuery(client, id).queryKey);
  if (opened === undefined) return { hash, content: null };
  const inUse = (await documentDrafts(client).findInUse(id)).at(-1);
  const [abandoned] = await documentDrafts(client).findAbandoned(id);
  const draft = inUse ?? abandoned;
  const body = (await openSessions(client).textOf(id)) ?? draft?.draft.text ?? opened.body;
  const metadata = withKeptFields(opened.metadata, id, outbox(client).changes.get());
  return { hash, content: contentOf({ ...opened, document, metadata, body }) };
}

/** The properties that a patch changes, as they are shown before. */
export function detailsBefore(client: Client, document: Document, patch: DetailsPatch): DetailsPatch {
  const { title, tags, projectId } = document;
  const opened = client.queries.getQueryData(documentQuery(client, document.id).queryKey);
  const metadata = withKeptFields(opened?.metadata ?? {}, document.id, outbox(client).changes.get());
  const names = Object.keys(patch.fields ?? {});
  return {
    ...(patch.title !== undefined && { title }),
    ...(patch.tags !== undefined && { tags }),
    ...(patch.projectId !== undefined && { projectId }),
    // What was read is of the types that can be written, or compared as it is.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    ...(names.length > 0 && { fields: pickFields(metadata, names) as NonNullable<DetailsPatch["fields"]> }),
  };
}

function pickFields(metadata: OpenDocument["metadata"], names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, metadata[name] ?? null]));
}

/** The fields of a document with those that are still to be sent. */
export function useKeptFields(id: string, metadata: OpenDocument["metadata"]): OpenDocument["metadata"] {
  return withKeptFields(metadata, id, useKeptChanges());
}

function withKeptFields(
  metadata: OpenDocument["metadata"],
  id: string,
  kept: readonly KeptChange[],
): OpenDocument["metadata"] {
  let shown: OpenDocument["metadata"] = metadata;
  for (const { rowId, change } of kept) {
    if (rowId !== id || change.kind !== "update-document" || change.patch.fields === undefined) continue;
    const merged = { ...shown, ...change.patch.fields };
    shown = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  }
  return shown;
}
