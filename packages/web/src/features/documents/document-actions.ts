import { restoredAt } from "./kept-changes/show-document-change.ts";
import { freePathBeside, loadPaths } from "./vault/vault-store.ts";
import { writeOptimistically, type WriteOutbox } from "../../api/optimistic-write.ts";
import { toRequestError } from "../../api/request-error.ts";
import type { Client } from "../../client/client.ts";
import type { DocumentChange } from "../outbox/kept-change.ts";
import { documentCollection } from "./document-collection.ts";
import { withDetails } from "./document-details.ts";
import { countDocuments, shownName, type DetailsPatch, type Document, type Sharing } from "./document.ts";
import { detailsBefore, isKeptFirst, keepDocumentChange } from "./kept-changes/document-changes.ts";
import { setUnsentDetails } from "./new-notes/unsent-notes.ts";
import { openSessions } from "./session/open-sessions.ts";
import { toasts } from "../../components/toast.ts";

/** Something else has the path. */
const CONFLICT = 409;

/**
 * Changes a document's title, tags, project or other fields optimistically, or has that kept while the server is away; a refusal is rolled
 * back and shown. What is set of a note that is still to be created is kept with it.
 */
export async function updateDetails(client: Client, document: Document, patch: DetailsPatch): Promise<void> {
  if (await setUnsentDetails(client, document.id, patch)) return;
  const before = detailsBefore(client, document, patch);
  const change: DocumentChange = { kind: "update-document", patch, before, earlier: [] };
  await showingFailure(client, `Could not change “${document.title}”`, () =>
    writeOptimistically({
      collection: documentCollection(client),
      rowId: document.id,
      outbox: outboxFor(client, document, change),
      apply: (row) => row && withDetails(client, row, patch),
      send: async (id) => {
        const { data } = await client.api.documents.update.mutate({ id, ...patch });
        openSessions(client).publish(data);
        return data.document;
      },
      confirm: (row) => row,
    }),
  );
}

/** Shares a document, or stops sharing it, optimistically. */
export async function setSharing(client: Client, document: Document, sharing: Sharing): Promise<void> {
  await showingFailure(client, `Could not change the sharing of “${document.title}”`, () =>
    writeOptimistically({
      collection: documentCollection(client),
      rowId: document.id,
      apply: (row) => row && { ...row, ...sharing },
      send: (id) => client.api.documents.setSharing.mutate({ id, ...sharing }),
      confirm: ({ data }) => data,
    }),
  );
}

/**
 * Restores deleted documents to where they were, or has that kept while the server is away. Reports those that could not be restored, and
 * offers other names to those whose names are taken.
 */
export function restoreDocuments(client: Client, ids: readonly string[]): Promise<void> {
  return restoreAt(
    client,
    ids.map((id) => ({ id })),
  );
}

interface Restoration {
  readonly id: string;
  /** Where it is restored; by default where it was. */
  readonly path?: string;
}

async function restoreAt(client: Client, restorations: readonly Restoration[]): Promise<void> {
  const results = await Promise.allSettled(
    restorations.map(({ id: rowId, path }) =>
      writeOptimistically({
        collection: documentCollection(client),
        rowId,
        outbox: outboxFor(client, documentCollection(client).get(rowId), {
          kind: "restore-document",
          ...(path !== undefined && { path }),
        }),
        apply: (row) => row && restoredAt(row, path),
        send: (id) => client.api.documents.restore.mutate({ id, path }),
        confirm: (_, shown) => shown,
      }),
    ),
  );
  const failed = restorations.flatMap((restoration, index) => {
    const result = results[index];
    return result?.status === "rejected" ? [{ ...restoration, error: toRequestError(result.reason) }] : [];
  });
  const [first] = failed;
  if (first === undefined) return;
  const others = await elsewhere(
    client,
    failed.filter(({ error }) => error.status === CONFLICT),
  );
  const [other] = others;
  const label = others.length > 1 ? "Restore under other names" : `Restore as “${shownName(other?.path ?? "")}”`;
  toasts(client).show({
    message: `Could not restore ${countDocuments(failed.length)}`,
    detail: first.error.message,
    tone: "danger",
    ...(other !== undefined && { action: { label, run: () => void restoreAt(client, others) } }),
  });
}

/** The same documents at free paths beside those that are taken. */
async function elsewhere(client: Client, taken: readonly Restoration[]): Promise<Restoration[]> {
  if (taken.length > 0) await loadPaths(client);
  return taken.flatMap(({ id, path = documentCollection(client).get(id)?.path }) =>
    path === undefined ? [] : [{ id, path: freePathBeside(client, path) }],
  );
}

function outboxFor(client: Client, document: Document | undefined, change: DocumentChange): WriteOutbox<Document> {
  return {
    isFirst: () => document !== undefined && isKeptFirst(client, document.id),
    keep: async (pending) => document !== undefined && keepDocumentChange(client, document, change, pending),
  };
}

async function showingFailure(client: Client, message: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    toasts(client).show({ message, detail: toRequestError(error).message, tone: "danger" });
  }
}
