import { nameAtBase } from "../../../browser/base-path.ts";
import { parseStored } from "../../../browser/stored-value.ts";
import { drafts, type Drafts } from "../../../drafts/draft.ts";
import { clientPart } from "../../../client/client-part.ts";
import { Listeners } from "../../../client/listeners.ts";
import { openPages, type OpenPages } from "../../../drafts/open-pages.ts";
import { includesVersion, isVersion, type TextVersion } from "./text-version.ts";

/** The unsaved text of a document. */
export interface DocumentDraft {
  readonly text: string;
  /** The text that the edits started from, to detect what others have changed since. */
  readonly baseText: string;
  readonly baseHash: string;
  /** The text that was last sent. If the server has exactly that, nobody else has changed anything. */
  readonly sentText?: string;
  /** By which id the edits of the page that has written it are counted; not known of one from an older release. */
  readonly writer?: string;
  /** Which edits of which pages the text includes; not known of one from an older release. */
  readonly version?: TextVersion;
  /** The same of the base. */
  readonly baseVersion?: TextVersion;
}

/** A draft of another page that is open. */
export interface DraftInUse {
  /** The id of that page. */
  readonly page: string;
  readonly draft: DocumentDraft;
}

/** A draft that is not in use by any other open page. */
export interface AbandonedDraft {
  readonly draft: DocumentDraft;
  /** Deletes it, unless it has been rewritten since it was found. */
  forget(): void;
}

interface FoundDraft extends AbandonedDraft {
  readonly isOwn: boolean;
  readonly writtenAt: number;
}

/** Longer texts go to IndexedDB, which has room for them but is slower. */
const MAX_LOCAL_CHARACTERS = 200_000;
const PREFIX = "document.";
const DATABASE = nameAtBase("workspace-drafts");
const STORE = "documents";

/** The drafts of documents that are stored in this browser. */
export const documentDrafts = clientPart((client) => new DocumentDrafts(openPages(client), drafts(client)));

export class DocumentDrafts {
  readonly #pages: OpenPages;
  readonly #kept: Drafts;
  readonly #dropped = new Listeners();

  constructor(pages: OpenPages, kept: Drafts) {
    this.#pages = pages;
    this.#kept = kept;
  }

  /** Calls back when a draft has been removed. Returns a function that unsubscribes. */
  onDropped(listener: () => void): () => void {
    return this.#dropped.add(listener);
  }

  /**
   * Stores this page's draft of a document in this browser; those of other pages stay. A short one is stored when this
   * returns and survives whatever happens next, a long one when the promise resolves. Rejects if there is no room.
   */
  async store(id: string, draft: DocumentDraft): Promise<void> {
    const name = this.#nameOf(id);
    const text = JSON.stringify({ ...draft, writtenAt: Date.now() });
    if (text.length <= MAX_LOCAL_CHARACTERS) {
      this.#writeLocal(name, text);
      if (this.#readLocal(name) === text) return;
    }
    const before = this.#readLocal(name);
    await inStore("readwrite", (store) => store.put(text, this.#owned(name)));
    if (this.#readLocal(name) === before) this.#writeLocal(name, null);
  }

  /** Removes this page's draft of a document because it was saved or discarded. */
  remove(id: string): void {
    const name = this.#nameOf(id);
    this.#writeLocal(name, null);
    void inStore("readwrite", (store) => store.delete(this.#owned(name))).then(this.#announceDrop, this.#announceDrop);
  }

  /** Removes all drafts of a document that no other open page has. */
  async discard(id: string): Promise<void> {
    for (const draft of await this.findAbandoned(id)) draft.forget();
  }

  /** Removes the drafts of a document that closed pages have left, and whose edits a text of this version includes. */
  async discardIncluded(id: string, version: TextVersion): Promise<void> {
    for (const { draft, forget } of await this.findAbandoned(id))
      if (draft.version !== undefined && includesVersion(version, draft.version)) forget();
  }

  /** The drafts of a document that other open pages have, the newest last. */
  async findInUse(id: string): Promise<DraftInUse[]> {
    const abandoned = new Set(await this.#abandonedNames());
    const names = (await this.#names()).filter((name) => documentIn(name) === id && !abandoned.has(name));
    const found = await Promise.all(names.map(async (name) => ({ name, stored: await this.#find(name) })));
    return found
      .toSorted((a, b) => (a.stored?.writtenAt ?? 0) - (b.stored?.writtenAt ?? 0))
      .flatMap(({ name, stored }) => (stored === null ? [] : [{ page: pageIn(name) ?? "", draft: stored.draft }]));
  }

  /** The drafts of a document that can be adopted: this page's own first, then the newest. */
  async findAbandoned(id: string): Promise<AbandonedDraft[]> {
    const names = (await this.#abandonedNames()).filter((name) => documentIn(name) === id);
    const found = await Promise.all(names.map((name) => this.#find(name)));
    return found
      .filter((draft) => draft !== null)
      .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || b.writtenAt - a.writtenAt);
  }

  /** The documents that have drafts which can be adopted. */
  async documentIds(): Promise<ReadonlySet<string>> {
    return new Set((await this.#abandonedNames()).map(documentIn));
  }

  /** All documents that have drafts, also in other open pages. */
  async unsavedIds(): Promise<ReadonlySet<string>> {
    return new Set((await this.#names()).map(documentIn));
  }

  /** The text that was last written in each document with drafts, by its id, also in other open pages. */
  async newestTexts(): Promise<ReadonlyMap<string, string>> {
    const names = await this.#names();
    const found = await Promise.all(
      names.map(async (name) => ({ id: documentIn(name), stored: await this.#find(name) })),
    );
    const oldestFirst = found.toSorted((a, b) => (a.stored?.writtenAt ?? 0) - (b.stored?.writtenAt ?? 0));
    return new Map(
      oldestFirst.flatMap(({ id, stored }) => (stored === null ? [] : [[id, stored.draft.text] as const])),
    );
  }

  readonly #announceDrop = () => this.#dropped.emit();

  // A draft is named for its document and its page; one from an older release for its document alone.
  #nameOf(id: string): string {
    return `${id}.${this.#pages.ownId}`;
  }

  async #names(): Promise<string[]> {
    const stored = await inStore("readonly", (store) => store.getAllKeys()).catch(() => []);
    const local = this.#kept.keys(PREFIX).map((key) => key.slice(PREFIX.length));
    const long = stored.map(String).flatMap((owned) => this.#nameIn(owned) ?? []);
    return [...new Set([...local, ...long])];
  }

  async #abandonedNames(): Promise<string[]> {
    const names = await this.#names();
    const isOthers = (name: string) => ![undefined, this.#pages.ownId].includes(pageIn(name));
    if (!names.some(isOthers)) return names;
    const open = await this.#pages.all();
    return names.filter((name) => !isOthers(name) || !open.has(pageIn(name) ?? ""));
  }

  async #find(name: string): Promise<FoundDraft | null> {
    const text = this.#readLocal(name) ?? (await readStored(this.#owned(name))) ?? (await readStored(name));
    const draft = parseStored(text, toDraft);
    if (text === null || draft === null) return null;
    return {
      draft,
      writtenAt: parseStored(text, toWrittenAt),
      isOwn: pageIn(name) === this.#pages.ownId,
      forget: () => void this.#forget(name, text).then(this.#announceDrop, this.#announceDrop),
    };
  }

  async #forget(name: string, text: string): Promise<void> {
    if (this.#readLocal(name) === text) this.#writeLocal(name, null);
    await inStore("readwrite", (store) => {
      const former = store.get(name);
      former.addEventListener("success", () => {
        if (former.result === text) store.delete(name);
      });
      const request = store.get(this.#owned(name));
      request.addEventListener("success", () => {
        if (request.result === text) store.delete(this.#owned(name));
      });
      return request;
    });
  }

  #readLocal(name: string): string | null {
    return this.#kept.read(PREFIX + name);
  }

  #writeLocal(name: string, text: string | null): void {
    this.#kept.write(PREFIX + name, text);
  }

  /** Under which key a long draft is stored. */
  #owned(name: string): string {
    return `${name}@${this.#kept.owner}`;
  }

  /** The name of a long draft of this user, or of an earlier release, which did not say whose it is; null for those of others. */
  #nameIn(owned: string): string | null {
    const [name = owned, owner] = owned.split("@");
    return owner === undefined || owner === this.#kept.owner ? name : null;
  }
}

function documentIn(name: string): string {
  return name.split(".")[0] ?? name;
}

function pageIn(name: string): string | undefined {
  return name.split(".")[1];
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
  const version = "version" in value && isVersion(value.version) ? { version: value.version } : {};
  const baseVersion = "baseVersion" in value && isVersion(value.baseVersion) ? { baseVersion: value.baseVersion } : {};
  const writer = "writer" in value && typeof value.writer === "string" ? { writer: value.writer } : {};
  return { text, baseText, baseHash, ...sentText, ...writer, ...version, ...baseVersion };
}

/** When a draft was written; zero, older than any other, for one from an older release. */
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
