import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { transaction } from "./transaction.ts";

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
