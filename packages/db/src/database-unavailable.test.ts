import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { tmpdir } from "node:os";
import type { PoolConfig } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isDatabaseUnavailable } from "./database-unavailable.ts";
import { createDb, type Db } from "./db.ts";
import { SILENT_LOG } from "./testing/test-cluster.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { transaction } from "./transaction.ts";

/** All the ways in which the service queries the database. */
const WAYS: [string, (db: Db) => Promise<unknown>][] = [
  ["the pool", ({ pool }) => pool.query("SELECT 1")],
  ["a transaction", ({ pool }) => transaction(pool, (client) => client.query("SELECT 1"))],
];

/** A server that accepts connections and then sends nothing. */
async function startSilentServer(): Promise<number> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A folder with the socket of a server that is frozen and whose queue of connections is full. */
async function freezeServer(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "frozen-"));
  const path = join(folder, ".s.PGSQL.5432");
  const listen = `require("net").createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => console.log())`;
  const server = spawn(process.execPath, ["-e", listen], { stdio: ["ignore", "pipe", "inherit"] });
  const waiting: Socket[] = [];
  onTestFinished(async () => {
    server.kill("SIGKILL");
    for (const socket of waiting) socket.destroy();
    await rm(folder, { recursive: true });
  });
  await once(server.stdout, "data");
  server.kill("SIGSTOP");
  for (let isFull = false; !isFull;) {
    const socket = connect(path);
    waiting.push(socket);
    isFull = await once(socket, "connect").then(
      () => false,
      () => true,
    );
  }
  return folder;
}

/** Addresses at which no database responds. */
const AWAY: [string, () => Promise<PoolConfig> | PoolConfig][] = [
  ["no socket", () => ({ host: join(tmpdir(), "nowhere") })],
  ["a closed port", () => ({ host: "127.0.0.1", port: 1 })],
  ["a frozen server", async () => ({ host: await freezeServer(), port: 5432 })],
  ["an unknown host", () => ({ host: "database.invalid" })],
  [
    "a silent server",
    async () => ({ host: "127.0.0.1", port: await startSilentServer(), connectionTimeoutMillis: 200 }),
  ],
];

describe.each(AWAY)("with %s", (_where, place) => {
  it.each(WAYS)("an error of %s means that the database is unavailable", async (_how, ask) => {
    const db = createDb({ user: "me", database: "me", ssl: false, ...(await place()) }, { log: SILENT_LOG });
    onTestFinished(() => db.close());
    const error = await ask(db).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});

describe("with a database", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const dying = "SELECT pg_terminate_backend(pg_backend_pid())::text";
  it.each<[string, (db: Db) => Promise<unknown>]>([
    ["the pool", ({ pool }) => pool.query(dying)],
    ["a transaction", ({ pool }) => transaction(pool, (client) => client.query(dying))],
  ])("a connection that is ended during a query of %s counts as unavailable", async (_how, ask) => {
    const error = await ask(database.db).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each<[string, (db: Db) => Promise<unknown>]>([
    ["the pool", ({ pool }) => pool.query("SELECT 1 / 0")],
    ["a transaction", ({ pool }) => transaction(pool, (client) => client.query("SELECT 1 / 0"))],
  ])("an error of a statement of %s does not", async (_how, ask) => {
    const error = await ask(database.db).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it("a pool without a free connection counts as unavailable", async () => {
    const db = createDb({ ...database.poolConfig, max: 1, connectionTimeoutMillis: 500 }, { log: SILENT_LOG });
    const client = await db.pool.connect();
    for (const [, ask] of WAYS) {
      expect(isDatabaseUnavailable(await ask(db).catch((reason: unknown) => reason))).toBe(true);
    }
    client.release();
    await db.close();
  });
});

describe("isDatabaseUnavailable", () => {
  it.each([
    undefined,
    "ECONNREFUSED",
    new Error("nothing"),
    Object.assign(new Error("no such file"), { code: "ENOENT", syscall: "open" }),
    new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED", syscall: "connect" }) }),
  ])("is not misled by %s", (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});
