import { createServer } from "node:net";
import { once } from "node:events";
import { Client, escapeIdentifier } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { awaitServer } from "./server-requirements.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const said: string[] = [];
const onWaiting = (message: string): void => void said.push(message);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return address !== null && typeof address === "object" ? address.port : 0;
}

it("accepts the bundled server", async () => {
  await awaitServer(database.poolConfig, { onWaiting });
  expect(said).toEqual([]);
});

it("waits for a server that is not available yet, reports it once, and fails with one sentence without the password", async () => {
  said.length = 0;
  const port = await freePort();
  const connectionString = `postgresql://me:hunter2@127.0.0.1:${port}/db`;
  const failure = await awaitServer({ connectionString }, { onWaiting, timeoutMs: 1_500 }).catch(String);
  expect(said).toEqual([`Waiting for the database at 127.0.0.1:${port} …`]);
  expect(failure).toMatch(/could not be reached for 2 seconds .*correct DATABASE_URL\.$/);
  expect(failure).not.toContain("hunter2");
});

it("continues as soon as the server is available", async () => {
  said.length = 0;
  const port = await freePort();
  const { host = "", user = "", database: name = "", port: socketPort = 0 } = database.poolConfig;
  const waiting = awaitServer({ host: "127.0.0.1", port, user, database: name, ssl: false }, { onWaiting });
  while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const { createConnection } = await import("node:net");
  const proxy = createServer((near) => {
    const far = createConnection(`${host}/.s.PGSQL.${socketPort}`);
    for (const socket of [near, far]) socket.on("error", () => socket.destroy());
    near.pipe(far).pipe(near);
  }).listen(port, "127.0.0.1");
  onTestFinished(() => void proxy.close());
  await waiting;
});

it("reports a database that does not exist", async () => {
  await expect(awaitServer({ ...database.poolConfig, database: "nowhere" }, { onWaiting })).rejects.toThrow(
    /refuses the connection that DATABASE_URL describes: database "nowhere" does not exist\.$/,
  );
});

it("reports an encoding that cannot represent all text", async () => {
  const name = `latin_${process.pid}`;
  const admin = new Client({ ...database.poolConfig, database: "postgres" });
  await admin.connect();
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${escapeIdentifier(name)} WITH (FORCE)`);
    await admin.end();
  });
  await admin.query(
    `CREATE DATABASE ${escapeIdentifier(name)} ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C' LOCALE_PROVIDER libc`,
  );
  await expect(awaitServer({ ...database.poolConfig, database: name }, { onWaiting })).rejects.toThrow(
    /cannot be used: its encoding must be UTF8, but it is LATIN1\.$/,
  );
});

it("reports a user who may not create a missing extension", async () => {
  const name = `bare_${process.pid}`;
  const admin = new Client({ ...database.poolConfig, database: "postgres" });
  await admin.connect();
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${escapeIdentifier(name)} WITH (FORCE)`);
    await admin.query(`DROP ROLE ${escapeIdentifier(name)}`);
    await admin.end();
  });
  await admin.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE template0`);
  await admin.query(`CREATE ROLE ${escapeIdentifier(name)} LOGIN`);
  await expect(awaitServer({ ...database.poolConfig, database: name, user: name }, { onWaiting })).rejects.toThrow(
    /may not create the extensions pg_trgm, fuzzystrmatch, which requires CREATE on the database\.$/,
  );
});
