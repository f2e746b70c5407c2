import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startTestServer, type ApiResponse, type TestServer } from "./test-server.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

async function start(env: Record<string, string> = {}): Promise<TestServer> {
  const server = await startTestServer({ LOG_LEVEL: "fatal", ...env });
  cleanups.push(() => server.close());
  return server;
}

/** Random, because the database compresses repetitive text. */
const addTask = (server: TestServer): Promise<ApiResponse> =>
  server.withToken("POST", "/api/tasks", {
    body: { title: "A task", description: randomBytes(4_000).toString("base64") },
  });

const until = (assert: () => Promise<void>): Promise<void> => vi.waitFor(assert, { timeout: 20_000, interval: 100 });

async function expectRecovery(server: TestServer): Promise<void> {
  await until(async () => expect((await addTask(server)).status).toBe(200));
  await until(async () => {
    const { data } = (await server.anonymous("GET", "/api/health")).body;
    expect(data).toMatchObject({ status: "ok", database: { available: true, problem: null } });
  });
}

/** Leaves hardly any space. The server writes in the background, so there may be less than there was a moment ago. */
async function fill(disk: string, filler: string): Promise<void> {
  const { bavail, bsize } = statfsSync(disk);
  await writeFile(filler, Buffer.alloc(bavail * bsize - 64 * 1024)).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  });
}

describe("a database whose disk is full", () => {
  test("makes writes 507 while reads work, is shown by health, and recovers once there is space", async ({ skip }) => {
    const disk = await mkdtemp(join(tmpdir(), "workspace-full-database-"));
    cleanups.push(() => rm(disk, { recursive: true, force: true }));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m,mode=755", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      skip("mounting needs root");
    }
    cleanups.push(() => execFileSync("umount", [disk]));
    const vault = await mkdtemp(join(tmpdir(), "workspace-full-database-vault-"));
    cleanups.push(() => rm(vault, { recursive: true, force: true }));
    const dataDir = join(disk, "data");
    await mkdir(dataDir);
    const server = await start({ DATABASE_URL: "", DATA_DIR: dataDir, VAULT_PATH: vault });
    expect((await addTask(server)).status).toBe(200);

    const filler = join(disk, "filler");
    await fill(disk, filler);
    // The existing pages of the tables have some space left.
    let refused = await addTask(server);
    for (let tries = 0; refused.status === 200 && tries < 500; tries += 1) refused = await addTask(server);
    expect(refused).toMatchObject({
      status: 507,
      body: { statusCode: 507, message: "The disk of the database is full. Nothing was changed." },
    });
    expect((await server.withToken("GET", "/api/tasks")).status).toBe(200);
    expect((await server.anonymous("GET", "/api/health")).body.data).toMatchObject({
      status: "degraded",
      database: { available: true, problem: "disk full" },
    });

    await rm(filler);
    await expectRecovery(server);
  }, 60_000);
});

describe("a database that is read-only", () => {
  test("makes writes 503 while reads work, is shown by health, and recovers", async () => {
    const server = await start();
    const name = new URL(server.databaseUrl).pathname.slice(1);
    const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
      await server.db.pool.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = ${isReadOnly}`);
      await server.db.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
        [name],
      );
    };
    expect((await addTask(server)).status).toBe(200);

    await setReadOnly(true);
    await until(async () =>
      expect(await addTask(server)).toMatchObject({
        status: 503,
        body: { statusCode: 503, message: "The database takes no writes at the moment. Nothing was changed." },
      }),
    );
    expect((await server.withToken("GET", "/api/tasks")).status).toBe(200);
    expect((await server.anonymous("GET", "/api/health")).body.data).toMatchObject({
      status: "degraded",
      database: { available: true, problem: "read-only" },
    });

    await setReadOnly(false);
    await expectRecovery(server);
  }, 60_000);
});
