/** Anything that is kept in a {@link Collection}. */
export interface Row {
  readonly id: string;
}

/** A change that the user has made and the server has not answered yet. */
interface PendingChange<R extends Row> {
  readonly rowId: string;
  /** The row with the change, undefined where the change takes it away. */
  apply(row: R | undefined): R | undefined;
}

/** How a pending change ends. */
export interface PendingHandle<R extends Row> {
  /** The server accepted: its row takes the place of the assumed one. A row made here is given its real id. */
  confirm(row: R): void;
  /** The server refused: what it has comes back. */
  rollback(): void;
}

/** Marks when a read began, so that its answer cannot undo what was written in the meantime. */
export type ReadTicket = number;

/**
 * All rows of one kind that the page knows: what the server said, with the user's unanswered changes on top. Every view
 * reads from here, so a change shows everywhere in the same frame, and a refused one disappears everywhere.
 *
 * Changes are kept apart from what the server said. Hence a refusal takes back its own change and no other, and a refresh
 * in the middle of a write shows neither the old value nor a flicker.
 */
export class Collection<R extends Row> {
  #base: ReadonlyMap<string, R> = new Map();
  #pending: readonly PendingChange<R>[] = [];
  #view: ReadonlyMap<string, R> = this.#base;
  #writeCount = 0;
  /** For each row written here, the count of writes at that moment. */
  readonly #writtenAt = new Map<string, number>();
  readonly #realIds = new Map<string, string>();
  readonly #firstIds = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  readonly #isSame: (a: R, b: R) => boolean;

  /** `isSame` says whether two versions of a row look alike; the older object is then kept, and nothing renders again. */
  constructor(isSame: (a: R, b: R) => boolean) {
    this.#isSame = isSame;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** The rows by id; another map after every change. */
  readonly getSnapshot = (): ReadonlyMap<string, R> => this.#view;

  get(id: string): R | undefined {
    return this.#view.get(this.realId(id));
  }

  /** The server's id of a row that was made here under a temporary one; any other id as it is. */
  realId(id: string): string {
    return this.#realIds.get(id) ?? id;
  }

  /** Names a row the same before and after the server has given it its id, so that what shows it stays in place. */
  keyOf(id: string): string {
    return this.#firstIds.get(id) ?? id;
  }

  startRead(): ReadTicket {
    return this.#writeCount;
  }

  /** Takes over rows that a read has answered, except those written since the read began. */
  merge(rows: readonly R[], ticket: ReadTicket): void {
    const base = new Map(this.#base);
    for (const row of rows) {
      if (this.#isWrittenSince(row.id, ticket)) continue;
      const known = base.get(row.id);
      base.set(row.id, known !== undefined && this.#isSame(known, row) ? known : row);
    }
    this.#setBase(base);
  }

  /** Takes over rows that a write has answered; no read that is under way can undo them. */
  put(rows: readonly R[]): void {
    const base = new Map(this.#base);
    this.#writeCount += 1;
    for (const row of rows) {
      base.set(row.id, row);
      this.#writtenAt.set(row.id, this.#writeCount);
    }
    this.#setBase(base);
  }

  /** Forgets the rows for which `isGone` holds, except those written since the read began. */
  prune(isGone: (row: R) => boolean, ticket: ReadTicket): void {
    const kept = [...this.#base].filter(([id, row]) => this.#isWrittenSince(id, ticket) || !isGone(row));
    if (kept.length < this.#base.size) this.#setBase(new Map(kept));
  }

  /** Shows a change at once, until it is confirmed or rolled back. */
  begin(change: PendingChange<R>): PendingHandle<R> {
    this.#pending = [...this.#pending, change];
    this.#publish();
    return {
      confirm: (row) => {
        this.#drop(change);
        if (this.realId(change.rowId) !== row.id) {
          this.#realIds.set(change.rowId, row.id);
          this.#firstIds.set(row.id, change.rowId);
        }
        this.#writtenAt.set(row.id, ++this.#writeCount);
        this.#setBase(new Map(this.#base).set(row.id, row));
      },
      rollback: () => {
        this.#drop(change);
        this.#publish();
      },
    };
  }

  /** Forgets everything, as after signing out. */
  clear(): void {
    this.#pending = [];
    this.#writtenAt.clear();
    this.#realIds.clear();
    this.#firstIds.clear();
    this.#setBase(new Map());
  }

  #isWrittenSince(id: string, ticket: ReadTicket): boolean {
    return (this.#writtenAt.get(id) ?? 0) > ticket;
  }

  #drop(change: PendingChange<R>): void {
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
