import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { poolWithin, transaction } from "./transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.pool.query("CREATE TABLE entries (id int PRIMARY KEY)");
});
beforeEach(() => database.db.pool.query("TRUNCATE entries"));
afterAll(() => database.close());

const countEntries = async (): Promise<unknown> =>
  (await database.db.pool.query("SELECT count(*) AS entries FROM entries")).rows[0];

describe("transaction", () => {
  it("commits and returns the result", async () => {
    const result = await transaction(database.db.pool, async (client) => {
      await client.query("INSERT INTO entries VALUES (1), (2)");
      return "done";
    });
    expect(result).toBe("done");
    expect(await countEntries()).toEqual({ entries: 2 });
  });

  it("writes nothing if the work fails, and passes on its error", async () => {
    const failure = new Error("changed my mind");
    const failed = transaction(database.db.pool, async (client) => {
      await client.query("INSERT INTO entries VALUES (1)");
      throw failure;
    });
    await expect(failed).rejects.toBe(failure);
    expect(await countEntries()).toEqual({ entries: 0 });
  });

  it("does not report success if a statement's error was swallowed", async () => {
    const failed = transaction(database.db.pool, async (client) => {
      await client.query("INSERT INTO entries VALUES (1)");
      await client.query("INSERT INTO entries VALUES (1)").catch(() => {});
    });
    await expect(failed).rejects.toThrow(/rolled back/);
    expect(await countEntries()).toEqual({ entries: 0 });
  });

  it("returns a working client to the pool, and discards a broken one", async () => {
    const { pool } = database.db;
    const pidOf = () =>
      transaction(pool, async (client) => (await client.query("SELECT pg_backend_pid() AS pid")).rows[0]);
    const before = await pidOf();
    await transaction(pool, (client) => client.query("SELECT 1 / 0")).catch(() => {});
    expect(await pidOf()).toEqual(before);

    const died = transaction(pool, (client) => client.query("SELECT pg_terminate_backend(pg_backend_pid())"));
    await expect(died).rejects.toThrow();
    expect(await pidOf()).not.toEqual(before);
    expect(pool.idleCount).toBe(pool.totalCount);
  });
});

describe("a pool within a transaction", () => {
  const insert = (id: number) => ({ text: "INSERT INTO entries VALUES ($1)", values: [id] });

  it("makes what is written with it part of that transaction", async () => {
    const failed = transaction(database.db.pool, async (client) => {
      const pool = poolWithin(client);
      await Promise.all([pool.query(insert(1)), pool.query(insert(2)), transaction(pool, (c) => c.query(insert(3)))]);
      expect((await pool.query("SELECT FROM entries")).rowCount).toBe(3);
      expect(await countEntries()).toEqual({ entries: 0 });
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    expect(await countEntries()).toEqual({ entries: 0 });
  });

  it("undoes only a transaction within that has failed, also if another one is meant to run meanwhile", async () => {
    await transaction(database.db.pool, async (client) => {
      const pool = poolWithin(client);
      const [failed, other] = await Promise.allSettled([
        transaction(pool, async (within) => {
          await within.query(insert(1));
          await within.query(insert(1));
        }),
        transaction(pool, async (within) => {
          await within.query(insert(2));
          // Code that is not given the client still reads what was written.
          return (await pool.query("SELECT id FROM entries")).rows;
        }),
      ]);
      expect(failed.status).toBe("rejected");
      expect(other).toMatchObject({ value: [{ id: 2 }] });
    });
    expect(await countEntries()).toEqual({ entries: 1 });
  });
});
