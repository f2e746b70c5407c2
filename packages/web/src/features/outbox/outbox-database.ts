import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { nameAtBase } from "../../browser/base-path.ts";
import { isSame, type ChangeProblem, type KeptChange, type NewKeptChange } from "./kept-change.ts";

const DATABASE = nameAtBase("workspace-outbox");

/** A change as it is stored. */
export type Stored = Omit<KeptChange, "number">;

interface OutboxSchema extends DBSchema {
  changes: { key: number; value: Stored };
}

/** The changes of tasks, projects and notes that the server does not have yet, in the browser's database. */
export class OutboxDatabase {
  readonly #db: IDBPDatabase<OutboxSchema>;

  private constructor(db: IDBPDatabase<OutboxSchema>) {
    this.#db = db;
  }

  static async open(): Promise<OutboxDatabase> {
    return new OutboxDatabase(
      await openDB<OutboxSchema>(DATABASE, 1, {
        upgrade: (created) => void created.createObjectStore("changes", { autoIncrement: true }),
      }),
    );
  }

  /** The changes of a user, in their order. */
  async all(userId: string): Promise<KeptChange[]> {
    const read = this.#db.transaction("changes");
    const [numbers, changes] = await Promise.all([read.store.getAllKeys(), read.store.getAll()]);
    return changes
      .map((change, index): KeptChange => ({ ...change, number: numbers[index] ?? 0 }))
      .filter((change) => change.userId === userId);
  }

  async add(change: NewKeptChange, userId: string): Promise<KeptChange> {
    const stored: Stored = { ...change, userId, problem: null };
    // Kept for good before it counts as kept.
    const add = this.#db.transaction("changes", "readwrite", { durability: "strict" });
    const number = await add.store.add(stored);
    await add.done;
    return { ...stored, number };
  }

  /** Changes what is kept, without having it sent if there is a problem. */
  rebase(number: number, rebased: (change: KeptChange["change"]) => KeptChange["change"]): Promise<boolean> {
    return this.#update(number, (stored) => ({ ...stored, change: rebased(stored.change) }));
  }

  /** Changes what is kept, and has it sent; false if it is kept no more. */
  async amend(number: number, amended: (stored: Stored) => Stored): Promise<boolean> {
    return this.#update(number, (stored) => ({ ...amended(stored), problem: null }));
  }

  /**
   * Removes a change that was sent, or records why what is left of it was not made; leaves it as it is if it was amended while it was being
   * sent. Returns whether it was removed.
   */
  async settle({ number, change }: KeptChange, problem: ChangeProblem | null, left = change): Promise<boolean> {
    const settling = this.#db.transaction("changes", "readwrite");
    const stored = await settling.store.get(number);
    const isAmended = stored !== undefined && !isSame(stored.change, change);
    if (problem === null && !isAmended) void settling.store.delete(number);
    if (problem !== null && !isAmended && stored !== undefined)
      void settling.store.put({ ...stored, change: left, problem }, number);
    await settling.done;
    return problem === null && !isAmended;
  }

  async remove(numbers: readonly number[]): Promise<void> {
    const change = this.#db.transaction("changes", "readwrite");
    for (const number of numbers) void change.store.delete(number);
    await change.done;
  }

  close(): void {
    this.#db.close();
  }

  async #update(number: number, update: (stored: Stored) => Stored): Promise<boolean> {
    const change = this.#db.transaction("changes", "readwrite");
    const stored = await change.store.get(number);
    if (stored !== undefined) void change.store.put(update(stored), number);
    await change.done;
    return stored !== undefined;
  }
}
