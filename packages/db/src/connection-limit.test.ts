import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { PoolClient } from "pg";
import { createDb, type Db } from "./db.ts";
import { SILENT_LOG } from "./testing/test-cluster.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

const USUAL = 6;
const MOST = 16;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function openDb(): Db {
  const db = createDb({ ...database.poolConfig, idleTimeoutMillis: 0 }, { log: SILENT_LOG });
  onTestFinished(() => db.close());
  return db;
}

/** Takes connections and does not use them, as a transaction does that works on files. */
function hold({ pool }: Db, count: number): Promise<PoolClient[]> {
  return Promise.all(Array.from({ length: count }, () => pool.connect()));
}

/** How many connections serve a hundred short statements at once. */
async function countUsedConnections({ pool }: Db): Promise<number> {
  const results = await Promise.all(
    Array.from({ length: 100 }, () => pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")),
  );
  return new Set(results.map(({ rows }) => rows[0]?.pid)).size;
}

it("serves short statements with few connections", async () => {
  expect(await countUsedConnections(openDb())).toBeLessThanOrEqual(USUAL);
});

it("opens more while some are in use for long, and closes them again", async () => {
  const db = openDb();
  const held = await hold(db, USUAL);
  expect(await countUsedConnections(db)).toBeGreaterThan(0);
  for (const client of held) client.release();
  await expect.poll(() => db.pool.totalCount, { timeout: 20_000 }).toBe(USUAL);
  expect(await countUsedConnections(db)).toBeLessThanOrEqual(USUAL);
});

it("lets transactions finish that need a second connection while all are in use by others of them", async () => {
  const db = openDb();
  const held = await hold(db, USUAL);
  const second = await hold(db, USUAL);
  for (const client of [...held, ...second]) client.release();
});

it("opens no more than the database has room for", async () => {
  const db = openDb();
  const held = await hold(db, MOST);
  const waiting = db.pool.query("SELECT 1 AS one");
  await expect(waiting).rejects.toThrow("timeout exceeded when trying to connect");
  expect(db.pool.totalCount).toBe(MOST);
  for (const client of held) client.release();
});
