import { createConnection, createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import type { PoolConfig } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isDatabaseUnavailable } from "./database-unavailable.ts";
import { createDb, type Db } from "./db.ts";
import { SILENT_LOG } from "./testing/test-cluster.ts";
import { createTestDatabase, type TestDatabase } from "./testing/test-database.ts";
import { transaction } from "./transaction.ts";

/** A network between pool and server that can start to drop all data, on existing connections or on all. */
class SilencingProxy {
  readonly #pairs = new Set<Socket>();
  readonly #server: Server;
  #swallowsNew = false;

  constructor(target: string) {
    this.#server = createServer((near) => {
      const far = createConnection(target);
      for (const socket of [near, far]) {
        this.#pairs.add(socket);
        socket.on("error", () => socket.destroy());
        socket.on("close", () => this.#pairs.delete(socket));
      }
      near.on("close", () => far.destroy());
      if (!this.#swallowsNew) near.pipe(far).pipe(near);
    });
  }

  async listen(): Promise<number> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return address !== null && typeof address === "object" ? address.port : 0;
  }

  silence({ newOnes }: { newOnes: boolean }): void {
    this.#swallowsNew = newOnes;
    for (const socket of this.#pairs) socket.unpipe();
  }

  restore(): void {
    this.#swallowsNew = false;
  }

  close(): void {
    for (const socket of this.#pairs) socket.destroy();
    this.#server.close();
  }
}

let database: TestDatabase;
let proxy: SilencingProxy;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  const { host = "", port = 0, user = "", database: name = "" } = database.poolConfig;
  proxy = new SilencingProxy(`${host}/.s.PGSQL.${port}`);
  const config: PoolConfig = { host: "127.0.0.1", port: await proxy.listen(), user, database: name, ssl: false };
  db = createDb(config, { log: SILENT_LOG });
});
afterEach(async () => {
  proxy.close();
  await db.close();
});

const ask = async (): Promise<unknown> => (await db.pool.query("SELECT 1 AS one")).rows;
const askInTransaction = (): Promise<unknown> =>
  transaction(db.pool, async (client) => (await client.query("SELECT 1 AS one")).rows);

async function failureOf(work: () => Promise<unknown>): Promise<{ error: unknown; tookMs: number }> {
  const startedAt = performance.now();
  const error = await work().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { error, tookMs: performance.now() - startedAt };
}

describe.each([
  ["a server that hangs", { newOnes: true }],
  ["a connection that has broken without a word", { newOnes: false }],
])("%s", (_what, silence) => {
  it("fails pending statements within ten seconds as unavailable, and recovers by itself", async () => {
    await Promise.all([ask(), askInTransaction()]);
    proxy.silence(silence);
    const failures = await Promise.all([ask, askInTransaction].map((work) => failureOf(work)));
    for (const { error, tookMs } of failures) {
      expect(isDatabaseUnavailable(error)).toBe(true);
      expect(tookMs).toBeLessThan(10_000);
    }
    proxy.restore();
    expect(await ask()).toEqual([{ one: 1 }]);
    expect(await askInTransaction()).toEqual([{ one: 1 }]);
  }, 30_000);
});

describe("a server that is working", () => {
  it("may take as long as it needs for a statement, including one that waits for a lock", async () => {
    const sleeping = db.pool.query("SELECT 'slept' AS how FROM pg_sleep(11)");
    const waiting = transaction(db.pool, async (client) => {
      await client.query("SELECT pg_advisory_xact_lock(1)");
      return (await client.query("SELECT 'waited' AS how")).rows;
    });
    const holding = transaction(database.db.pool, async (client) => {
      await client.query("SELECT pg_advisory_xact_lock(1), pg_sleep(11)");
    });
    expect((await sleeping).rows).toEqual([{ how: "slept" }]);
    await holding;
    expect(await waiting).toEqual([{ how: "waited" }]);
  }, 30_000);

  it("is left alone in a transaction whose client is busy elsewhere", async () => {
    const rows = await transaction(db.pool, async (client) => {
      await client.query("SELECT 1");
      await new Promise((resolve) => setTimeout(resolve, 7_000));
      return (await client.query("SELECT 2 AS two")).rows;
    });
    expect(rows).toEqual([{ two: 2 }]);
  }, 20_000);
});
