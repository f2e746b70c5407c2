import { once } from "node:events";
import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { externalDatabase, urlPerHost } from "./database-hosts.ts";
import { isDatabaseUnavailable } from "./database-unavailable.ts";
import { createDb } from "./db.ts";
import { startEmbeddedPostgres, type EmbeddedPoolConfig } from "./embedded/embedded-postgres.ts";
import { SILENT_LOG } from "./testing/test-cluster.ts";

it("names one URL per server", () => {
  expect(urlPerHost("postgresql://me:a%40b@one:5433,two,[::1]:5434/name?sslmode=require")).toEqual([
    "postgresql://me:a%40b@one:5433/name?sslmode=require",
    "postgresql://me:a%40b@two/name?sslmode=require",
    "postgresql://me:a%40b@[::1]:5434/name?sslmode=require",
  ]);
  for (const one of ["postgres://one/name?options=a,b", "postgresql:///name?host=/run/postgresql", "socket:/run?db=x"])
    expect(urlPerHost(one)).toEqual([one]);
});

/** Starts the server of a cluster that was shut down as a standby. */
async function startStandby() {
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-standby-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const options = { dataDir, log: SILENT_LOG, settings: { wal_level: "replica", fsync: "off" } };
  await (await startEmbeddedPostgres(options)).close();
  const { uid, gid } = await stat(join(dataDir, "postgres/PG_VERSION"));
  await writeFile(join(dataDir, "postgres/standby.signal"), "");
  await chown(join(dataDir, "postgres/standby.signal"), uid, gid);
  const standby = await startEmbeddedPostgres(options);
  onTestFinished(() => standby.close());
  return standby;
}

/** Makes a server that has only a socket reachable by TCP; returns its port. */
async function forwardTo({ host, port }: EmbeddedPoolConfig): Promise<number> {
  const server = createServer((near) => {
    const far = connect(join(host, `.s.PGSQL.${port}`));
    for (const socket of [near, far]) socket.on("error", () => socket.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

it("writes to whichever of its servers is not a standby, once there is one", { timeout: 60_000 }, async () => {
  const { poolConfig } = await startStandby();
  const port = await forwardTo(poolConfig);
  // The server that was the primary is gone.
  const database = externalDatabase(`postgresql://workspace@127.0.0.1:1,127.0.0.1:${port}/workspace`);
  const { pool, close } = createDb(database, { log: SILENT_LOG });
  onTestFinished(close);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const error: unknown = await pool.query("SELECT 1").catch((reason: unknown) => reason);
    expect(isDatabaseUnavailable(error)).toBe(true);
  }
  const administrator = new Client(poolConfig);
  await administrator.connect();
  await administrator.query("SELECT pg_promote()");
  await administrator.end();
  const write = () => pool.query("CREATE TABLE IF NOT EXISTS written ()").then(() => "written");
  await expect.poll(() => write().catch(() => "unavailable"), { timeout: 10_000 }).toBe("written");
  // From now on every connection goes there at once.
  expect(await Promise.all(Array.from({ length: 8 }, write))).toEqual(Array.from({ length: 8 }, () => "written"));
});
