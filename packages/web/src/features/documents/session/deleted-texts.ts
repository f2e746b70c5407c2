import { useEffect, useState } from "react";
import type { Client } from "../../../client/client.ts";
import { useClient } from "../../../client/use-client.ts";
import { outbox } from "../../outbox/outbox.ts";
import { documentCollection, documentQuery } from "../document-collection.ts";
import { normalizeLineBreaks } from "../document-text.ts";
import { shownName } from "../document.ts";
import { nameOf, parentOf } from "../vault/vault-path.ts";
import { currentVault, freePathBeside } from "../vault/vault-store.ts";
import { isNameTaken } from "../vault/vault-tree.ts";
import { saveText } from "./abandoned-drafts.ts";
import { documentDrafts } from "./draft-store.ts";
import { openSessions } from "./open-sessions.ts";

/** What was written here in a document that has been deleted elsewhere, and cannot be saved therefore. */
export interface DeletedText {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Where the text can be saved as another note, because something else has its path by now; null while the document can be restored. */
  readonly otherPath: string | null;
}

/** Many rows may change one after the other. */
const DELAY_MS = 300;
/** A document that is still to be created, or that the user has deleted or restored here. */
const DECIDED_HERE = new Set(["create-note", "delete-note", "delete-document", "restore-document"]);

/** The unsaved texts of deleted documents. One whose document is restored is saved, wherever that was done. */
export function useDeletedTexts(): readonly DeletedText[] {
  const client = useClient();
  const [texts, setTexts] = useState<readonly DeletedText[]>([]);
  useEffect(() => {
    let known: readonly DeletedText[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const look = async () => {
      timer = undefined;
      const found = await findDeletedTexts(client);
      if (isStopped) return;
      const restored = known.filter(({ id }) => documentCollection(client).stored.get(id)?.deletedAt === null);
      known = found;
      setTexts(found);
      await Promise.all(restored.map(({ id }) => saveText(client, id)));
    };
    const lookSoon = () => void (timer ??= setTimeout(() => void look().catch(() => undefined), DELAY_MS));
    lookSoon();
    const stops = [
      documentDrafts(client).onDropped(lookSoon),
      documentCollection(client).subscribe(lookSoon),
      outbox(client).changes.subscribe(lookSoon),
      client.connection.subscribe(lookSoon),
    ];
    return () => {
      isStopped = true;
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [client]);
  return texts;
}

/** Gives up what was written here in a document. */
export async function discardText(client: Client, id: string): Promise<void> {
  await openSessions(client).discard(id);
  await documentDrafts(client).discard(id);
}

async function findDeletedTexts(client: Client): Promise<DeletedText[]> {
  const ids = [...(await documentDrafts(client).documentIds())];
  const found = await Promise.all(ids.map((id) => findDeletedText(client, id).catch(() => null)));
  return found.filter((text) => text !== null);
}

async function findDeletedText(client: Client, id: string): Promise<DeletedText | null> {
  const isDecided = outbox(client)
    .changes.get()
    .some(({ rowId, change }) => rowId === id && DECIDED_HERE.has(change.kind));
  if (isDecided || documentCollection(client).stored.get(id)?.deletedAt === null) return null;
  const { document: read, body } = await client.queries.fetchQuery(documentQuery(client, id));
  // Without the server, what is read is a copy of what there was.
  const document = documentCollection(client).stored.get(id) ?? read;
  const [abandoned] = await documentDrafts(client).findAbandoned(id);
  if (document.deletedAt === null || abandoned === undefined) return null;
  const { text } = abandoned.draft;
  if (text === normalizeLineBreaks(body)) return null;
  const { path } = document;
  const isTaken = isNameTaken(currentVault(client).tree, parentOf(path), nameOf(path));
  return { id, title: shownName(path), text, otherPath: isTaken ? freePathBeside(client, path) : null };
}
