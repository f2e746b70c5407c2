import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { transaction } from "@workspace/db";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./test-server.ts";

const USUAL_CONNECTIONS = 6;

let database: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await createTestDatabase();
  const { host = "", port = 0, user = "", database: name = "" } = database.poolConfig;
  const address = `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  server = await startTestServer({ DATABASE_URL: address, LOG_LEVEL: "fatal" });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

async function countWaiting(): Promise<number> {
  const { rows } = await database.db.pool.query<{ count: number }>(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  );
  return rows[0]?.count ?? 0;
}

test("others are served while more requests wait for a lock than there usually are connections", async () => {
  const { data: task } = (await server.withToken("POST", "/api/tasks", { body: { title: "Locked" } })).body;
  const path = `/api/tasks/${task.id}`;
  const waiting = await transaction(database.db.pool, async (client) => {
    await client.query("SELECT FROM tasks WHERE id = $1 FOR UPDATE", [task.id]);
    const updates = Array.from({ length: 10 }, () => server.withToken("PUT", path, { body: { priority: 3 } }));
    await expect.poll(countWaiting, { timeout: 10_000 }).toBeGreaterThanOrEqual(USUAL_CONNECTIONS);
    const others = Array.from({ length: 20 }, () => server.withToken("GET", path));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
    return updates;
  });
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
});
