import { draftKeys, readDraft, writeDraft } from "../../drafts/draft.ts";
import { parseStored } from "../../browser/stored-value.ts";

/** What was written in a document and is not saved yet. */
export interface DocumentDraft {
  readonly text: string;
  /** What the writing began from, to tell what others have changed since. */
  readonly baseText: string;
  readonly baseHash: string;
}

/** Longer texts go to IndexedDB, which has room for them but answers later. */
const MAX_LOCAL_CHARACTERS = 200_000;
const PREFIX = "document.";
const DATABASE = "workspace-drafts";
const STORE = "documents";

/** Keeps a draft in this browser. Short ones are kept when this returns: they survive whatever happens next. */
export function keepDocumentDraft(id: string, draft: DocumentDraft): void {
  const text = JSON.stringify(draft);
  if (text.length <= MAX_LOCAL_CHARACTERS) {
    writeDraft(keyOf(id), text);
    if (readDraft(keyOf(id)) === text) return;
  }
  writeDraft(keyOf(id), null);
  void inStore("readwrite", (store) => store.put(text, id)).catch(() => undefined);
}

/** Forgets a draft, since it is saved or given up. */
export function dropDocumentDraft(id: string): void {
  writeDraft(keyOf(id), null);
  void inStore("readwrite", (store) => store.delete(id)).catch(() => undefined);
}

/** The draft of a document, from an earlier visit; null where there is none. */
export async function findDocumentDraft(id: string): Promise<DocumentDraft | null> {
  const local = parseStored(readDraft(keyOf(id)), toDraft);
  if (local !== null) return local;
  const stored: unknown = await inStore("readonly", (store) => store.get(id)).catch(() => undefined);
  return typeof stored === "string" ? parseStored(stored, toDraft) : null;
}

/** The documents that have a draft in this browser, but for very long ones. */
export function draftedDocumentIds(): ReadonlySet<string> {
  return new Set(draftKeys(PREFIX).map((key) => key.slice(PREFIX.length)));
}

function keyOf(id: string): string {
  return PREFIX + id;
}

function toDraft(value: unknown): DocumentDraft | null {
  if (typeof value !== "object" || value === null) return null;
  if (!("text" in value) || !("baseText" in value) || !("baseHash" in value)) return null;
  const { text, baseText, baseHash } = value;
  if (typeof text !== "string" || typeof baseText !== "string" || typeof baseHash !== "string") return null;
  return { text, baseText, baseHash };
}

async function inStore<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await settled(openDatabase());
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function openDatabase(): IDBOpenDBRequest {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(STORE));
  return request;
}

function settled<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result), { once: true });
    request.addEventListener("error", () => reject(request.error ?? new Error("The browser's storage failed.")), {
      once: true,
    });
  });
}
