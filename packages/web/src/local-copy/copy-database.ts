import { openDB, unwrap, wrap, type DBSchema, type IDBPDatabase } from "idb";
import { newUuid } from "../api/local-id.ts";
import type { SessionUser } from "../api/session.ts";
import { nameAtBase } from "../browser/base-path.ts";

const DATABASE = nameAtBase("workspace-copy");

/** Whose copy it is. What a page writes counts only as long as the copy is the one that it has opened. */
interface Owner {
  readonly user: SessionUser;
  /** The version of the dashboard that has written it. */
  readonly shape: string;
  readonly generation: string;
}

/** Up to which change the rows of a kind are kept. */
export interface KeptUntil {
  readonly position: string;
  readonly readAt: number;
  readonly details: unknown;
}

/** The data of a query. */
export interface KeptAnswer {
  readonly queryKey: readonly unknown[];
  readonly data: unknown;
  readonly readAt: number;
}

interface KeptRow {
  readonly id: string;
}

/** A document with its text, as it was read. */
export interface KeptText extends KeptRow {
  /** Of the content. */
  readonly hash: string;
  readonly readAt: number;
  readonly data: unknown;
}

interface CopySchema extends DBSchema {
  owner: { key: string; value: Owner };
  kinds: { key: string; value: KeptUntil };
  rows: { key: string; value: KeptRow };
  answers: { key: string; value: KeptAnswer; indexes: { readAt: number } };
}

export interface RowChanges {
  readonly until: KeptUntil;
  readonly put: readonly KeptRow[];
  readonly drop: readonly string[];
  /** The position after which these are all changes; null if `put` has all rows. */
  readonly from: string | null;
}

const STORES = ["owner", "kinds", "rows", "answers"] as const;
const OWNER = "owner";
/** The requests that are made at once, each of which copies a row. */
const SLICE = 40;
/** The rows that are read at once, which the browser copies in one go; between them, it can paint. */
const READ_SLICE = 500;
/** The texts that are read at once. */
const TEXT_SLICE = 20;
/** The texts are in the store of the rows: another version of the database would have to wait until all tabs with the present one are closed. */
const TEXT = "text";

/** `later`: another page has stored a later state. `behind`: it has stored an earlier one, to which what has changed does not belong. */
export type WriteResult = "stored" | "later" | "behind";

export interface CopyOpening {
  /** The version of the dashboard. */
  readonly shape: string;
  /** Who is signed in; null if nobody is, undefined if that is not known yet. */
  readonly user: SessionUser | null | undefined;
}

/** The copy in the browser's database. */
export class CopyDatabase {
  readonly user: SessionUser;
  readonly #db: IDBPDatabase<CopySchema>;
  readonly #generation: string;

  private constructor(db: IDBPDatabase<CopySchema>, { user, generation }: Owner) {
    this.#db = db;
    this.user = user;
    this.#generation = generation;
  }

  /** Opens the copy. One of another user or version is cleared, or any if nobody is signed in. Null if there is none and none is begun. */
  static async open({ shape, user }: CopyOpening): Promise<CopyDatabase | null> {
    const db = await openDB<CopySchema>(DATABASE, 1, {
      upgrade(created) {
        for (const name of ["owner", "kinds", "rows"] as const) created.createObjectStore(name);
        created.createObjectStore("answers").createIndex("readAt", "readAt");
      },
    });
    const isOwn = (found: Owner | undefined): found is Owner =>
      found?.shape === shape && (user === undefined || found.user.id === user?.id);
    // Reading alone waits for no other tab, and is all that most visits need.
    const kept = await db.get("owner", OWNER);
    if (isOwn(kept)) return new CopyDatabase(db, kept);
    const change = db.transaction(STORES, "readwrite");
    const found = await change.objectStore("owner").get(OWNER);
    if (isOwn(found)) return new CopyDatabase(db, found);
    for (const name of STORES) void change.objectStore(name).clear();
    const owner = user === undefined || user === null ? undefined : { user, shape, generation: newUuid() };
    if (owner !== undefined) await change.objectStore("owner").put(owner, OWNER);
    await change.done;
    if (owner !== undefined) return new CopyDatabase(db, owner);
    db.close();
    return null;
  }

  /**
   * Reads the rows of a kind, as they were at one moment. Those whose ids are the answer at `firstKey` are read, and given to `onFirst`,
   * before all others.
   */
  async readRows(
    kind: string,
    firstKey: string,
    onFirst: (rows: KeptRow[]) => void,
  ): Promise<{ until: KeptUntil; rows: KeptRow[] } | undefined> {
    const read = this.#db.transaction(["kinds", "rows", "answers"]);
    const store = read.objectStore("rows");
    const [until, first] = await Promise.all([
      read.objectStore("kinds").get(kind),
      read.objectStore("answers").get(firstKey),
    ]);
    if (until === undefined) return undefined;
    if (Array.isArray(first?.data)) {
      const found = await Promise.all(first.data.map((id) => store.get(`${kind}/${String(id)}`)));
      onFirst(found.filter((row) => row !== undefined));
    }
    const rows: KeptRow[] = [];
    let slice: KeptRow[];
    do {
      const last = rows.at(-1);
      slice = await store.getAll(rowsOf(kind, last?.id), READ_SLICE);
      rows.push(...slice);
    } while (slice.length === READ_SLICE);
    return { until, rows };
  }

  /** Stores changed rows. Rejects if the copy is not the one that was opened any more. */
  async writeRows(kind: string, { until, from, put, drop }: RowChanges): Promise<WriteResult> {
    const change = this.#db.transaction(["owner", "kinds", "rows"], "readwrite");
    await this.#requireOwner(change.objectStore("owner").get(OWNER));
    const kept = await change.objectStore("kinds").get(kind);
    if (from !== null) {
      if (kept === undefined || seqOf(kept.position) < seqOf(from)) return "behind";
      if (seqOf(kept.position) > seqOf(until.position)) return "later";
    }
    const rows = change.objectStore("rows");
    if (from === null) void rows.delete(rowsOf(kind));
    const store = unwrap(rows);
    await inSlices(drop, (id) => store.delete(`${kind}/${id}`));
    await inSlices(put, (row) => store.put(row, `${kind}/${row.id}`));
    void change.objectStore("kinds").put(until, kind);
    await change.done;
    return "stored";
  }

  readAnswer(key: string): Promise<KeptAnswer | undefined> {
    return this.#db.get("answers", key);
  }

  readAnswers(keys: readonly string[]): Promise<(KeptAnswer | undefined)[]> {
    const { store } = this.#db.transaction("answers");
    return Promise.all(keys.map((key) => store.get(key)));
  }

  /** Stores what queries have read, and removes the oldest beyond `max`. */
  async writeAnswers(answers: ReadonlyMap<string, KeptAnswer>, max: number): Promise<void> {
    const change = this.#db.transaction(["owner", "answers"], "readwrite");
    await this.#requireOwner(change.objectStore("owner").get(OWNER));
    const store = change.objectStore("answers");
    for (const [key, answer] of answers) void store.put(answer, key);
    let excess = (await store.count()) - max;
    for (let cursor = await store.index("readAt").openCursor(); cursor !== null && excess > 0; excess -= 1) {
      void cursor.delete();
      cursor = await cursor.continue();
    }
    await change.done;
  }

  /** The hashes of the texts that are kept, by the ids of their documents. */
  async textHashes(): Promise<Map<string, string>> {
    const keys = await this.#db.getAllKeys("rows", rowsOf(TEXT));
    return new Map(keys.map((key): [string, string] => hashesOf(key)));
  }

  async readText(id: string): Promise<KeptText | undefined> {
    const [found] = await this.#db.getAll("rows", rowsOf(`${TEXT}/${id}`), 1);
    return asText(found);
  }

  /** Reads all texts, some at a time; between them, the browser can paint and handle input. */
  async *readTexts(): AsyncGenerator<KeptText[]> {
    let slice: KeptText[];
    let after = "";
    do {
      const found = await this.#db.getAll("rows", rowsOf(TEXT, after), TEXT_SLICE);
      slice = found.flatMap((row) => asText(row) ?? []);
      const last = slice.at(-1);
      if (last !== undefined) after = `${last.id}/${last.hash}`;
      yield slice;
    } while (slice.length === TEXT_SLICE);
  }

  /** Stores texts in place of earlier ones of the same documents. Rejects if the copy is not the one that was opened any more. */
  async writeTexts(texts: readonly KeptText[]): Promise<void> {
    const change = this.#db.transaction(["owner", "rows"], "readwrite");
    await this.#requireOwner(change.objectStore("owner").get(OWNER));
    const rows = unwrap(change.objectStore("rows"));
    await inSlices(texts, (text) => {
      rows.delete(rowsOf(`${TEXT}/${text.id}`));
      return rows.put(text, `${TEXT}/${text.id}/${text.hash}`);
    });
    await change.done;
  }

  /** Removes the texts of documents, and the answers with these keys. */
  async dropTexts(ids: readonly string[], answers: readonly string[]): Promise<void> {
    const change = this.#db.transaction(["rows", "answers"], "readwrite");
    const rows = unwrap(change.objectStore("rows"));
    const store = unwrap(change.objectStore("answers"));
    await inSlices(ids, (id) => rows.delete(rowsOf(`${TEXT}/${id}`)));
    await inSlices(answers, (key) => store.delete(key));
    await change.done;
  }

  /** The keys of the answers that begin with a text. */
  answerKeys(start: string): Promise<string[]> {
    return this.#db.getAllKeys("answers", IDBKeyRange.bound(start, `${start}\uffff`));
  }

  /** Removes everything; nothing that a page has on its way is stored afterwards. */
  async clear(): Promise<void> {
    const change = this.#db.transaction(STORES, "readwrite");
    for (const name of STORES) void change.objectStore(name).clear();
    await change.done;
  }

  close(): void {
    this.#db.close();
  }

  async #requireOwner(reading: Promise<Owner | undefined>): Promise<void> {
    if ((await reading)?.generation !== this.#generation) throw new Error("The copy is another one by now.");
  }
}

/**
 * Makes requests of a transaction, which are answered in order; between slices of them, the browser can paint and handle input. An error
 * ends the transaction.
 */
async function inSlices<Item>(items: readonly Item[], request: (item: Item) => IDBRequest): Promise<void> {
  for (let start = 0; start < items.length; start += SLICE) {
    const last = items
      .slice(start, start + SLICE)
      .map(request)
      .at(-1);
    if (last !== undefined) await wrap(last);
  }
}

/** The rows of a kind, after the one with this id if there is one. */
function rowsOf(kind: string, after = ""): IDBKeyRange {
  return IDBKeyRange.bound(`${kind}/${after}`, `${kind}/\uffff`, true);
}

/** The id and the hash in the key of a text. */
function hashesOf(key: string): [string, string] {
  const [, id = "", hash = ""] = key.split("/");
  return [id, hash];
}

function asText(row: KeptRow | undefined): KeptText | undefined {
  // What is stored at keys of texts are texts.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return row as KeptText | undefined;
}

function seqOf(position: string): number {
  return Number.parseInt(position, 10);
}
