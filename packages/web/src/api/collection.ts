import { isLocalId } from "./local-id.ts";
import { WriteQueue } from "./write-queue.ts";

/** A row that can be kept in a {@link Collection}. */
export interface Row {
  readonly id: string;
}

/** A change that the user has made and the server has not confirmed yet. */
interface PendingChange<R extends Row> {
  readonly rowId: string;
  /** The id that a new row will have; undefined if the server chooses it. */
  readonly chosenId?: string | undefined;
  /** The row with the change applied; undefined if the change removes it. */
  apply(row: R | undefined): R | undefined;
}

/** Settles a pending change. */
export interface PendingHandle<R extends Row> {
  /** The server accepted: its row replaces the optimistic one. A row created here gets its real id. */
  confirm(row: R): void;
  /** The server refused: its version of the row is shown again. */
  rollback(): void;
}

/** Marks when a read began, so that its response cannot undo writes made in the meantime. */
export type ReadTicket = number;

/**
 * All rows of one kind that the page has loaded: the server's version, with the user's unconfirmed changes on top. Every
 * view reads from here, so a change appears everywhere in the same frame, and a refused one disappears everywhere.
 *
 * Pending changes are kept apart from the server's rows. A refusal therefore rolls back its own change and no other, and a
 * refresh in the middle of a write shows neither the old value nor a flicker. For the same reason, a row that a read returns
 * for the first time while new rows wait for their real ids is shown once they have them: it may be one of those.
 */
export class Collection<R extends Row> {
  /** Sends the writes to each row in the order in which they were made. */
  readonly writes = new WriteQueue();
  #base: ReadonlyMap<string, R> = new Map();
  #pending: readonly PendingChange<R>[] = [];
  #view: ReadonlyMap<string, R> = this.#base;
  #writeCount = 0;
  /** For each row written here, the write count at that moment. */
  readonly #writtenAt = new Map<string, number>();
  readonly #realIds = new Map<string, string>();
  readonly #firstIds = new Map<string, string>();
  /** Rows that were read while new ones had no real ids yet, and those new ones. */
  readonly #held = new Map<string, { readonly row: R; readonly until: Set<PendingChange<R>> }>();
  readonly #listeners = new Set<() => void>();
  readonly #isSame: (a: R, b: R) => boolean;

  /** `isSame` compares two versions of a row; if they are equal, the older object is kept and nothing re-renders. */
  constructor(isSame: (a: R, b: R) => boolean) {
    this.#isSame = isSame;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The rows by id; a new map after every change. */
  readonly getSnapshot = (): ReadonlyMap<string, R> => this.#view;

  /** The rows as the server has them, without pending changes. */
  get stored(): ReadonlyMap<string, R> {
    return this.#base;
  }

  get(id: string): R | undefined {
    return this.#view.get(this.realId(id));
  }

  /** The server's id of a row that was created here under a temporary one; any other id unchanged. */
  readonly realId = (id: string): string => this.#realIds.get(id) ?? id;

  /** A key that stays the same when the server assigns a row's id, so that components showing the row stay mounted. */
  readonly keyOf = (id: string): string => this.#firstIds.get(id) ?? id;

  startRead(): ReadTicket {
    return this.#writeCount;
  }

  /** Merges the rows that a read returned, except those written since the read began. */
  merge(rows: readonly R[], ticket: ReadTicket): void {
    const base = new Map(this.#base);
    const created = this.#creations();
    let isChanged = false;
    for (const row of rows) {
      if (this.#isWrittenSince(row.id, ticket)) continue;
      const known = base.get(row.id);
      const own = ({ chosenId }: PendingChange<R>): boolean => chosenId === undefined || chosenId === row.id;
      const until = known === undefined ? created.filter(own) : [];
      if (until.length > 0) this.#hold(row, until);
      else if (known === undefined || !this.#isSame(known, row)) {
        base.set(row.id, row);
        isChanged = true;
      }
    }
    // Whatever shows rows sorts and counts all of them again.
    if (isChanged) this.#setBase(base);
  }

  /** Stores the rows that a write returned; no read already in flight can overwrite them. */
  put(rows: readonly R[]): void {
    const base = new Map(this.#base);
    this.#writeCount += 1;
    for (const row of rows) {
      base.set(row.id, row);
      this.#markWritten(row.id);
    }
    this.#setBase(base);
  }

  /** Removes the rows for which `isGone` returns true, except those written since the read began. */
  prune(isGone: (row: R) => boolean, ticket: ReadTicket): void {
    for (const [id, { row }] of this.#held) if (!this.#isWrittenSince(id, ticket) && isGone(row)) this.#held.delete(id);
    const gone: string[] = [];
    for (const [id, row] of this.#base) if (isGone(row) && !this.#isWrittenSince(id, ticket)) gone.push(id);
    if (gone.length === 0) return;
    const kept = new Map(this.#base);
    for (const id of gone) kept.delete(id);
    this.#setBase(kept);
  }

  /** Removes rows that a write has deleted; no read already in flight can bring them back. */
  drop(ids: readonly string[]): void {
    const base = new Map(this.#base);
    this.#writeCount += 1;
    for (const id of ids) {
      base.delete(id);
      this.#markWritten(id);
    }
    this.#setBase(base);
  }

  /** Shows a change immediately, until it is confirmed or rolled back. */
  begin(change: PendingChange<R>): PendingHandle<R> {
    // The server may have stored it without this page having heard of it.
    const { chosenId } = change;
    if (chosenId !== undefined && this.#base.has(chosenId)) this.#name(change.rowId, chosenId);
    this.#pending = [...this.#pending, change];
    this.#publish();
    return {
      confirm: (row) => {
        this.#dropPending(change);
        this.#name(change.rowId, row.id);
        this.#writeCount += 1;
        this.#markWritten(row.id);
        this.#setBase(this.#release(change).set(row.id, row));
      },
      rollback: () => {
        this.#dropPending(change);
        this.#setBase(this.#release(change));
      },
    };
  }

  /** Removes everything, for example after signing out. */
  clear(): void {
    this.#pending = [];
    this.#held.clear();
    this.#writtenAt.clear();
    this.#realIds.clear();
    this.#firstIds.clear();
    this.#setBase(new Map());
  }

  /** The server's id of a row that was created here. */
  #name(rowId: string, id: string): void {
    if (this.realId(rowId) === id) return;
    this.#realIds.set(rowId, id);
    this.#firstIds.set(id, rowId);
  }

  #isWrittenSince(id: string, ticket: ReadTicket): boolean {
    return (this.#writtenAt.get(id) ?? 0) > ticket;
  }

  /** No read that has begun can overwrite the row. */
  #markWritten(id: string): void {
    this.#writtenAt.set(id, this.#writeCount);
    this.#held.delete(id);
  }

  /** The changes that make new rows, without what was changed of these since. */
  #creations(): readonly PendingChange<R>[] {
    const first = new Map<string, PendingChange<R>>();
    for (const change of this.#pending) if (!first.has(change.rowId)) first.set(change.rowId, change);
    return [...first.values()].filter(({ rowId }) => isLocalId(this.realId(rowId)));
  }

  /** Keeps a row out of view until all of the new rows have their real ids. */
  #hold(row: R, created: readonly PendingChange<R>[]): void {
    this.#held.set(row.id, { row, until: this.#held.get(row.id)?.until ?? new Set(created) });
  }

  /** The server's rows with those that waited for this change alone. */
  #release(settled: PendingChange<R>): Map<string, R> {
    const base = new Map(this.#base);
    for (const [id, { row, until }] of this.#held) {
      until.delete(settled);
      if (until.size > 0) continue;
      this.#held.delete(id);
      base.set(id, row);
    }
    return base;
  }

  #dropPending(change: PendingChange<R>): void {
    this.#pending = this.#pending.filter((other) => other !== change);
  }

  #setBase(base: ReadonlyMap<string, R>): void {
    this.#base = base;
    this.#publish();
  }

  #publish(): void {
    this.#view =
      this.#pending.length === 0 ? this.#base : withChanges(this.#base, this.#pending, (id) => this.realId(id));
    this.#listeners.forEach((listener) => listener());
  }
}

function withChanges<R extends Row>(
  base: ReadonlyMap<string, R>,
  changes: readonly PendingChange<R>[],
  realId: (id: string) => string,
): ReadonlyMap<string, R> {
  const view = new Map(base);
  for (const change of changes) {
    const id = realId(change.rowId);
    const row = change.apply(view.get(id));
    if (row === undefined) view.delete(id);
    else view.set(id, row);
  }
  return view;
}
