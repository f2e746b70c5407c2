import { parseStored } from "../../browser/stored-value.ts";
import { draftKeys, readDraft, writeDraft } from "../../drafts/draft.ts";
import { livingPages, PAGE_ID } from "../../drafts/living-pages.ts";

/** What was written in a document and is not saved yet. */
export interface DocumentDraft {
  readonly text: string;
  /** What the writing began from, to tell what others have changed since. */
  readonly baseText: string;
  readonly baseHash: string;
  /** What of it was on its way to the server. Where the server has that, nobody else has changed anything. */
  readonly sentText?: string;
}

/** A draft that no living page but this one has in hand. */
export interface LeftDraft {
  readonly draft: DocumentDraft;
  /** Forgets it, unless it has been written anew since it was found. */
  forget(): void;
}

interface FoundDraft extends LeftDraft {
  readonly isOwn: boolean;
  readonly writtenAt: number;
}

/** Longer texts go to IndexedDB, which has room for them but answers later. */
const MAX_LOCAL_CHARACTERS = 200_000;
const PREFIX = "document.";
const DATABASE = "workspace-drafts";
const STORE = "documents";

const dropListeners = new Set<() => void>();

/** Calls back when a draft was dropped or forgotten. Answers how to stop. */
export function onDraftDropped(listener: () => void): () => void {
  dropListeners.add(listener);
  return () => dropListeners.delete(listener);
}

/**
 * Keeps this page's draft of a document in this browser; those of other pages stay. A short one is kept when this returns
 * and survives whatever happens next, a long one when the promise is fulfilled. Rejects where there is no room.
 */
export async function keepDocumentDraft(id: string, draft: DocumentDraft): Promise<void> {
  const name = ownName(id);
  const text = JSON.stringify({ ...draft, writtenAt: Date.now() });
  if (text.length <= MAX_LOCAL_CHARACTERS) {
    writeLocal(name, text);
    if (readLocal(name) === text) return;
  }
  const before = readLocal(name);
  await inStore("readwrite", (store) => store.put(text, name));
  if (readLocal(name) === before) writeLocal(name, null);
}

/** Forgets this page's draft of a document, since it is saved or given up. */
export function dropDocumentDraft(id: string): void {
  const name = ownName(id);
  writeLocal(name, null);
  void inStore("readwrite", (store) => store.delete(name)).then(tellDropped, tellDropped);
}

/** The drafts of a document that may be taken up: first what this page has left itself, then the newest. */
export async function findLeftDrafts(id: string): Promise<LeftDraft[]> {
  const names = (await leftNames()).filter((name) => documentIn(name) === id);
  const found = await Promise.all(names.map(findDraft));
  return found
    .filter((draft) => draft !== null)
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.writtenAt - a.writtenAt);
}

/** The documents that have drafts which may be taken up. */
export async function draftedDocumentIds(): Promise<ReadonlySet<string>> {
  return new Set((await leftNames()).map(documentIn));
}

// A draft is named for its document and its page; one of an older release for its document alone.

function ownName(id: string): string {
  return `${id}.${PAGE_ID}`;
}

function documentIn(name: string): string {
  return name.split(".")[0] ?? name;
}

function pageIn(name: string): string | undefined {
  return name.split(".")[1];
}

async function leftNames(): Promise<string[]> {
  const stored = await inStore("readonly", (store) => store.getAllKeys()).catch(() => []);
  const local = draftKeys(PREFIX).map((key) => key.slice(PREFIX.length));
  const names = [...new Set([...local, ...stored.map(String)])];
  const isOthers = (name: string) => ![undefined, PAGE_ID].includes(pageIn(name));
  if (!names.some(isOthers)) return names;
  const living = await livingPages();
  return names.filter((name) => !isOthers(name) || !living.has(pageIn(name) ?? ""));
}

async function findDraft(name: string): Promise<FoundDraft | null> {
  const text = readLocal(name) ?? (await readStored(name));
  const draft = parseStored(text, toDraft);
  if (text === null || draft === null) return null;
  return {
    draft,
    writtenAt: parseStored(text, toWrittenAt),
    isOwn: pageIn(name) === PAGE_ID,
    forget: () => void forget(name, text).then(tellDropped, tellDropped),
  };
}

async function forget(name: string, text: string): Promise<void> {
  if (readLocal(name) === text) writeLocal(name, null);
  await inStore("readwrite", (store) => {
    const request = store.get(name);
    request.addEventListener("success", () => {
      if (request.result === text) store.delete(name);
    });
    return request;
  });
}

function tellDropped(): void {
  dropListeners.forEach((listener) => listener());
}

function readLocal(name: string): string | null {
  return readDraft(PREFIX + name);
}

function writeLocal(name: string, text: string | null): void {
  writeDraft(PREFIX + name, text);
}

async function readStored(name: string): Promise<string | null> {
  const stored: unknown = await inStore("readonly", (store) => store.get(name)).catch(() => undefined);
  return typeof stored === "string" ? stored : null;
}

function toDraft(value: unknown): DocumentDraft | null {
  if (typeof value !== "object" || value === null) return null;
  if (!("text" in value) || !("baseText" in value) || !("baseHash" in value)) return null;
  const { text, baseText, baseHash } = value;
  if (typeof text !== "string" || typeof baseText !== "string" || typeof baseHash !== "string") return null;
  const sentText = "sentText" in value && typeof value.sentText === "string" ? { sentText: value.sentText } : {};
  return { text, baseText, baseHash, ...sentText };
}

/** When a draft was written; zero, which is older than any other, for one of an older release. */
function toWrittenAt(value: unknown): number {
  const isKnown = typeof value === "object" && value !== null && "writtenAt" in value;
  return isKnown && typeof value.writtenAt === "number" ? value.writtenAt : 0;
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
