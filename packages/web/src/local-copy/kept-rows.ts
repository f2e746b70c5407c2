import { hashKey } from "@tanstack/react-query";
import type { Row } from "../api/collection.ts";
import type { CopyDatabase, WriteResult } from "./copy-database.ts";
import { firstRowsKey } from "./first-rows.ts";
import type { KeptKind } from "./local-copy.ts";

/** Changes in quick succession are stored together. */
const STORE_DELAY_MS = 300;

/** Keeps the rows of one kind in the copy. */
export class KeptRows<R extends Row, Details> {
  readonly #db: CopyDatabase;
  readonly #kind: KeptKind<R, Details>;
  readonly #onFailure: () => void;
  /** The rows as they are stored. */
  #stored: ReadonlyMap<string, R> = new Map();
  /** Up to where they are stored; null until they are. */
  #storedUntil: string | null = null;
  #storedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStoring = false;
  #stop: (() => void)[] = [];

  constructor(db: CopyDatabase, kind: KeptKind<R, Details>, onFailure: () => void) {
    this.#db = db;
    this.#kind = kind;
    this.#onFailure = onFailure;
  }

  /** Shows the rows that are stored, except those that have been read by now: first what the page showed first when it was last open. */
  async restore(): Promise<void> {
    const { name, collection, progress } = this.#kind;
    const ticket = collection.startRead();
    const isRead = () => progress.position !== undefined;
    const show = (rows: readonly R[]) => {
      const unknown = rows.filter(({ id }) => collection.get(id) === undefined);
      if (!isRead()) collection.merge(unknown, ticket);
    };
    // The dashboard that has stored them was of the same version.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const asRows = (rows: readonly Row[]) => rows as unknown as R[];
    const firstKey = hashKey(firstRowsKey(name));
    const found = await this.#db.readRows(name, firstKey, (rows) => show(asRows(rows)));
    if (found === undefined || isRead()) return;
    const { position, readAt, details } = found.until;
    const rows = asRows(found.rows);
    show(rows);
    this.#stored = new Map(rows.map((row) => [row.id, collection.stored.get(row.id) ?? row]));
    this.#storedUntil = position;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    progress.begin(position, details as Details, readAt);
  }

  follow(): void {
    const { collection, progress } = this.#kind;
    const later = () => this.#storeLater();
    // The next page begins with what this one shows last.
    const now = () => void this.#store();
    window.addEventListener("pagehide", now);
    this.#stop = [
      collection.subscribe(later),
      progress.onReached(later),
      () => window.removeEventListener("pagehide", now),
    ];
    later();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stop.forEach((stop) => stop());
    this.#stop = [];
  }

  #storeLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#store();
    }, STORE_DELAY_MS);
  }

  async #store(): Promise<void> {
    if (this.#isStoring) return this.#storeLater();
    const { progress } = this.#kind;
    // Stored once the rows are as of a position: the next change of either calls again.
    if (!progress.isSettled) return;
    this.#isStoring = true;
    try {
      await this.#storeChanges();
    } catch {
      this.#onFailure();
    } finally {
      this.#isStoring = false;
    }
  }

  async #storeChanges(): Promise<void> {
    const { name, collection, progress, belongs } = this.#kind;
    const { position, details, readAt } = progress;
    if (position === undefined) return;
    const rows = new Map([...collection.stored].filter(([, row]) => belongs(row)));
    const write = (from: string | null): Promise<WriteResult> => {
      const known = from === null ? new Map<string, R>() : this.#stored;
      const put = [...rows.values()].filter((row) => known.get(row.id) !== row);
      const drop = [...known.keys()].filter((id) => !rows.has(id));
      if (put.length + drop.length === 0 && from === position && readAt === this.#storedAt)
        return Promise.resolve("stored");
      return this.#db.writeRows(name, { until: { position, readAt, details }, from, put, drop });
    };
    const isReplaced =
      this.#storedUntil !== null && Number.parseInt(position, 10) < Number.parseInt(this.#storedUntil, 10);
    let result = await write(isReplaced ? null : this.#storedUntil);
    if (result === "behind") result = await write(null);
    if (result === "later") return;
    this.#stored = rows;
    this.#storedUntil = position;
    this.#storedAt = readAt;
  }
}
