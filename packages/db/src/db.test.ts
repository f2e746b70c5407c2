import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDb } from "./db.ts";
import { SILENT_LOG } from "./testing/test-cluster.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const VALUES = `
  SELECT timestamptz '2026-01-02 03:04:05.6+00' AS moment, date '2026-01-02' AS day,
         42::int8 AS small, 9007199254740993::int8 AS large, 1.50::numeric AS price,
         '{"a": [1]}'::jsonb AS document, ARRAY['a', NULL] AS texts,
         ARRAY[timestamptz '2026-01-02 03:04:05+00', NULL] AS moments, ARRAY[1, 9007199254740993]::int8[] AS numbers,
         '{}'::date[] AS days, NULL::timestamptz AS nothing`;

describe("the pool", () => {
  it("returns times as ISO strings, dates as dates, and numbers as numbers if that is exact", async () => {
    const { rows } = await database.db.pool.query(VALUES);
    expect(rows).toEqual([
      {
        moment: "2026-01-02T03:04:05.600Z",
        day: "2026-01-02",
        small: 42,
        large: 9_007_199_254_740_993n,
        price: 1.5,
        document: { a: [1] },
        texts: ["a", null],
        moments: ["2026-01-02T03:04:05.000Z", null],
        numbers: [1, 9_007_199_254_740_993n],
        days: [],
        nothing: null,
      },
    ]);
  });

  it("survives the loss of idle and checked-out connections", async () => {
    const { pool } = database.db;
    const client = await pool.connect();
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const lost = new Promise((resolve) => client.once("end", () => resolve("lost")));
    await pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    expect(await lost).toBe("lost");
    client.release(true);
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });
});

describe("close", () => {
  it("waits for queries in progress, but not forever", async () => {
    const db = createDb(database.poolConfig, { log: SILENT_LOG });
    const { pool } = db;
    const slow = pool.query("SELECT pg_sleep(0.2)::text AS slept");
    const hanging = pool.query("SELECT pg_sleep(60)").catch(() => "cut");
    const neverReleased = await pool.connect();
    const startedAt = performance.now();
    await Promise.all([db.close(), db.close()]);
    expect((await slow).rows).toEqual([{ slept: "" }]);
    expect(await hanging).toBe("cut");
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    neverReleased.release();
  });

  it("does not report connections that end with the database, only those that are lost before", async () => {
    const warnings: string[] = [];
    const log = { ...SILENT_LOG, warn: (_fields: object, message: string) => void warnings.push(message) };
    const db = createDb(database.poolConfig, { log });
    const lose = async () => {
      const lost = new Promise((resolve) => db.pool.once("remove", resolve));
      const { rows } = await db.pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
      await database.db.pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
      await lost;
    };
    await lose();
    expect(warnings).toEqual(["an idle database connection was lost"]);
    const ended = db.close();
    db.pool.emit("error", new Error("terminating connection due to administrator command"));
    await ended;
    expect(warnings).toHaveLength(1);
  });
});
