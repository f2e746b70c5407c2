import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import type { ChangeProblem, KeptChange, NewKeptChange } from "./kept-change.ts";

const DATABASE = "workspace-outbox";

type Stored = Omit<KeptChange, "number">;

interface OutboxSchema extends DBSchema {
  changes: { key: number; value: Stored };
}

/** The changes of tasks and projects that the server does not have yet, in the browser's database. */
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

  setProblem(number: number, problem: ChangeProblem | null): Promise<void> {
    return this.#update(number, (stored) => ({ ...stored, problem }));
  }

  setChange(number: number, change: KeptChange["change"]): Promise<void> {
    return this.#update(number, (stored) => ({ ...stored, change }));
  }

  async remove(numbers: readonly number[]): Promise<void> {
    const change = this.#db.transaction("changes", "readwrite");
    for (const number of numbers) void change.store.delete(number);
    await change.done;
  }

  close(): void {
    this.#db.close();
  }

  async #update(number: number, update: (stored: Stored) => Stored): Promise<void> {
    const change = this.#db.transaction("changes", "readwrite");
    const stored = await change.store.get(number);
    if (stored !== undefined) void change.store.put(update(stored), number);
    await change.done;
  }
}
