import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { Cable } from "./cable.ts";
import { API_TOKEN } from "./credentials.ts";
import { makeDataDir, start, type Started } from "./service-process.ts";
import { createRequest, type Request } from "./test-server.ts";

/** Starts the PgBouncer of this machine before a database, and returns the URL at which the service reaches the database through it. */
async function startPgBouncer(database: TestDatabase, mode: "session" | "transaction", settings = ""): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-pgbouncer-"));
  await chmod(folder, 0o777);
  const { host = "", port, user } = database.poolConfig;
  // PgBouncer refuses to run as root, and other users cannot reach the test database's socket.
  const cable = new Cable(join(host, `.s.PGSQL.${port}`));
  const cablePort = await cable.listen();
  const ownPort = await findFreePort();
  const file = join(folder, "pgbouncer.ini");
  await writeFile(join(folder, "users.txt"), `"${user}" ""\n`);
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${cablePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, "users.txt")}
pool_mode = ${mode}
default_pool_size = 60
max_client_conn = 200
${settings}
`,
  );
  const identity = userInfo().uid === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", [...identity, file], { stdio: "ignore" });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
    cable.close();
    await rm(folder, { recursive: true, force: true });
  });
  await expect.poll(() => isAccepting(ownPort), { timeout: 10_000 }).toBe(true);
  return `postgresql://${user}@127.0.0.1:${ownPort}/${database.poolConfig.database}`;
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  return address !== null && typeof address === "object" ? address.port : 0;
}

async function isAccepting(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function openDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

const KEYS = {
  SERVICE_API_TOKEN: API_TOKEN,
  SERVICE_SECRET: "one signing secret for both processes",
  SERVICE_ENCRYPTION_KEY: "one encryption key for both processes",
  PROCESS_LEASE_S: "4",
};

async function startOn(url: string, vault: string): Promise<Started & { readonly api: Request; readonly url: string }> {
  const started = start(await makeDataDir(), { DATABASE_URL: url, VAULT_PATH: vault, LOG_LEVEL: "error", ...KEYS });
  const own = await started.ready;
  return { ...started, url: own, api: createRequest(own, { "X-API-Token": API_TOKEN }) };
}

test(
  "two processes share a database behind PgBouncer in session mode, also after one has died",
  { timeout: 90_000 },
  async () => {
    const database = await openDatabase();
    const url = await startPgBouncer(database, "session", "server_reset_query = DISCARD ALL");
    const vault = await mkdtemp(join(tmpdir(), "workspace-pgbouncer-vault-"));
    onTestFinished(() => rm(vault, { recursive: true, force: true }));
    const first = await startOn(url, vault);
    const second = await startOn(url, vault);

    // Notifications: what one process changes, the clients of the other hear.
    const socket = new WebSocket(`${second.url.replace("http", "ws")}/api/ws`, {
      headers: { "X-API-Token": API_TOKEN },
    });
    const frames: string[] = [];
    socket.on("message", (data: Buffer) => frames.push(data.toString()));
    await once(socket, "open");
    const created = await Promise.all(
      Array.from({ length: 50 }, (_, index) => first.api("POST", "/api/tasks", { body: { title: `Task ${index}` } })),
    );
    expect(created.map(({ status }) => status)).toEqual(created.map(() => 200));
    for (const { body } of created)
      await expect.poll(() => frames.some((frame) => frame.includes(body.data.id))).toBe(true);

    // Settings of sessions, prepared statements and transactions.
    const [firstCreated] = created;
    const { id, createdAt } = firstCreated?.body.data ?? {};
    const read = await Promise.all(Array.from({ length: 50 }, () => second.api("GET", `/api/tasks/${id}`)));
    for (const { body } of read) expect(body.data).toMatchObject({ id, createdAt });
    expect(Math.abs(Date.parse(createdAt) - Date.now())).toBeLessThan(60_000);

    // Locks of transactions, and the leadership with its lease.
    const writes = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? first : second).api("POST", "/api/fs/write", {
        body: { path: "same.md", content: `# ${index}` },
      }),
    );
    for (const write of await Promise.all(writes)) expect(write.status).toBe(200);
    first.child.kill("SIGKILL");
    await expect
      .poll(async () => (await second.api("GET", "/api/health")).body.data, { timeout: 30_000 })
      .toMatchObject({
        status: "ok",
        mirror: { leader: true },
      });
    const sessions = async () =>
      (
        await database.db.pool.query(
          "SELECT DISTINCT application_name FROM pg_stat_activity WHERE application_name LIKE 'workspace %'",
        )
      ).rowCount;
    await expect.poll(sessions, { timeout: 15_000 }).toBe(1);
  },
);

test("PgBouncer may ignore what is sent while connecting, and the service still reads the right times", async () => {
  const database = await openDatabase();
  const { database: name = "" } = database.poolConfig;
  await database.db.pool.query(`ALTER DATABASE "${name}" SET TimeZone = 'Asia/Tokyo'`);
  await database.db.pool.query(`ALTER DATABASE "${name}" SET DateStyle = 'German'`);
  const url = await startPgBouncer(database, "session", "ignore_startup_parameters = options");
  const { api } = await startOn(`${url}?options=-c%20work_mem%3D8MB`, await makeDataDir());
  const { body } = await api("POST", "/api/tasks", { body: { title: "Now" } });
  expect(Math.abs(Date.parse(body.data.createdAt) - Date.now())).toBeLessThan(60_000);
});

test("a start is refused behind PgBouncer in transaction mode, with the setting that mends it", async () => {
  const database = await openDatabase();
  const started = start(await makeDataDir(), {
    DATABASE_URL: await startPgBouncer(database, "transaction"),
    LOG_LEVEL: "error",
  });
  expect(await started.exited).toBe(1);
  expect(started.output()).toMatch(
    /^The database at 127\.0\.0\.1:\d+ is behind a connection pooler .*pool_mode = session/m,
  );
});

test("requests succeed again after all connections were lost", { timeout: 60_000 }, async () => {
  const database = await openDatabase();
  const url = await startPgBouncer(database, "session");
  const { api } = await startOn(url, await makeDataDir());
  await database.db.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'workspace %'",
  );
  await sleep(200);
  await expect
    .poll(async () => (await api("POST", "/api/tasks", { body: { title: "Again" } })).status, { timeout: 20_000 })
    .toBe(200);
});
