import { execFile } from "node:child_process";
import { access, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createDb, defaultMigrationsDir, migrate, startEmbeddedPostgres } from "@workspace/db";
import { insertFirstUser } from "@workspace/core/testing/first-user";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test } from "vitest";
import { ADMIN, API_TOKEN } from "./credentials.ts";
import { makeDataDir, start, type Started } from "./service-process.ts";

const WORKSPACE = join(import.meta.dirname, "../dist/workspace.js");
const ENV = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, SERVICE_API_TOKEN: API_TOKEN };
const log = { info() {}, warn() {}, error() {} };

async function runJson(dataDir: string, args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<Record<string, unknown>>((resolve) => {
    const options = { env: { PATH: process.env["PATH"], DATA_DIR: dataDir, ...env } };
    execFile(process.execPath, [WORKSPACE, ...args, "--json"], options, (error, stdout) => {
      resolve({ code: error === null ? 0 : error.code, ...(JSON.parse(stdout) as object) });
    });
  });
}

async function call(service: Started, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${await service.ready}/api${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "X-API-Token": API_TOKEN, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
  return response.json();
}

async function stop(service: Started): Promise<void> {
  expect(await service.stop()).toBe(0);
}

/** A data folder as a version of the service with the PostgreSQL before this one's has left it. */
async function createOldDataDir(): Promise<string> {
  const dataDir = await makeDataDir();
  const old = await startEmbeddedPostgres({ dataDir, log, programs: "previous" });
  await migrate(old.poolConfig, { log, migrationsDir: defaultMigrationsDir() });
  const db = createDb(old.poolConfig, { log });
  await insertFirstUser(db, ADMIN);
  await db.pool.query(
    `INSERT INTO tasks (id, title, status, priority, creator_id, created_at, modified_at, search_text)
    SELECT gen_random_uuid(), 'Written long ago', 'todo', 2, id, now(), now(), '' FROM users`,
  );
  await db.close();
  await old.close();
  return dataDir;
}

test("a start brings the database of the PostgreSQL before over, and says so", { timeout: 240_000 }, async () => {
  const dataDir = await createOldDataDir();
  expect(await runJson(dataDir, ["user", "list"])).toMatchObject({
    code: 1,
    error: expect.stringContaining("Bring it over: npx workspace upgrade-database"),
  });
  const service = start(dataDir, ENV);
  expect(await call(service, "/tasks")).toMatchObject({ data: [{ title: "Written long ago" }] });
  expect(service.output()).toMatch(/Bringing the database from PostgreSQL \d+ to \d+/);
  expect(service.output()).toMatch(/The former one is kept in .*postgres-\d+/);
  await call(service, "/tasks", { title: "Written afterwards" });
  expect(await runJson(dataDir, ["upgrade-database"])).toMatchObject({
    code: 1,
    error: expect.stringContaining("in use by the service or another command"),
  });
  await stop(service);
  expect(await runJson(dataDir, ["upgrade-database"])).toMatchObject({ code: 0, upgraded: false });
});

test("the command brings it over without a start", { timeout: 240_000 }, async () => {
  const dataDir = await createOldDataDir();
  const result = await runJson(dataDir, ["upgrade-database"]);
  expect(result).toMatchObject({ code: 0, ok: true, upgraded: true });
  await access(String(result["keptIn"]));
  expect(await runJson(dataDir, ["user", "list"])).toMatchObject({ code: 0, users: [{ email: ADMIN.email }] });
});

/** Neither a start nor a command takes what a move has left for the workspace, and nothing changes in the data folder. */
async function expectRefused(dataDir: string, reason: string, env: Record<string, string>): Promise<void> {
  const key = await readFile(join(dataDir, "encryption-key"), "utf8");
  const names = await readdir(dataDir);
  const error = expect.stringContaining(reason);
  const commands = [
    ["rotate-secrets"],
    ["user", "list"],
    ["backup", "--to", `${dataDir}-backups`],
    ["upgrade-database"],
  ];
  for (const command of env["DATABASE_URL"] === undefined ? commands : commands.slice(0, -1)) {
    expect(await runJson(dataDir, command, env)).toMatchObject({ code: 1, error });
  }
  expect(await runJson(dataDir, ["doctor"], env)).toMatchObject({
    code: 3,
    findings: expect.arrayContaining([{ subject: "database", state: "bad", message: error }]),
  });
  for (const args of [[], ["rotate-secrets"], ["adopt-keys"]]) {
    const refused = start(dataDir, { ...ENV, ...env }, args);
    expect(await refused.exited).toBe(1);
    expect(refused.output()).toContain(reason);
  }
  expect(await readdir(dataDir)).toEqual(names);
  expect(await readFile(join(dataDir, "encryption-key"), "utf8")).toBe(key);
}

test("the database moves to an external server and back by command", { timeout: 240_000 }, async () => {
  const dataDir = await makeDataDir();
  const first = start(dataDir, ENV);
  await call(first, "/tasks", { title: "Written embedded" });
  await stop(first);
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  await database.db.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await database.db.close();
  const external = { DATABASE_URL: database.url };
  expect(await runJson(dataDir, ["move-database"])).toMatchObject({ code: 2 });
  expect(await runJson(dataDir, ["move-database", "--to", "elsewhere"])).toMatchObject({ code: 2 });
  expect(await runJson(dataDir, ["move-database", "--to", "embedded"])).toMatchObject({ code: 2 });
  expect(await runJson(dataDir, ["move-database", "--to", database.url])).toMatchObject({
    code: 0,
    next: expect.stringContaining("Set DATABASE_URL"),
  });
  await expectRefused(dataDir, "was moved to ", {});
  const second = start(dataDir, { ...ENV, ...external });
  await call(second, "/tasks", { title: "Written externally" });
  await stop(second);
  expect(await runJson(dataDir, ["move-database", "--to", "embedded"], external)).toMatchObject({ code: 0 });
  await expectRefused(dataDir, "Remove DATABASE_URL", external);
  const { data } = (await call(start(dataDir, ENV), "/tasks")) as { data: { title: string }[] };
  expect(data.map(({ title }) => title).toSorted()).toEqual(["Written embedded", "Written externally"]);
});

test(
  "a database that an earlier version has left behind takes no key from the external one",
  { timeout: 240_000 },
  async () => {
    const dataDir = await makeDataDir();
    const first = start(dataDir, ENV);
    await call(first, "/secrets", { key: "TOKEN", value: "kept" });
    await stop(first);
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    await database.db.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await database.db.close();
    const external = { DATABASE_URL: database.url };
    expect(await runJson(dataDir, ["move-database", "--to", database.url])).toMatchObject({ code: 0 });
    await rm(join(dataDir, "database-moved.txt"));
    await rename(join(dataDir, "postgres-moved"), join(dataDir, "postgres"));
    expect(await runJson(dataDir, ["doctor"], external)).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ subject: "embedded database", state: "warning" })]),
    });
    expect(await runJson(dataDir, ["rotate-secrets"])).toMatchObject({ code: 0, rotated: 1 });
    expect(await runJson(dataDir, ["doctor"])).toMatchObject({ code: 0 });
    const second = start(dataDir, { ...ENV, ...external });
    expect(await call(second, "/secrets/TOKEN")).toMatchObject({ data: { value: "kept" } });
    expect(second.output()).toContain("rename its folder postgres to postgres-moved");
    await stop(second);

    await rm(join(dataDir, "postgres"), { recursive: true });
    const none = { code: 1, error: expect.stringContaining("There is no workspace in") };
    expect(await runJson(dataDir, ["rotate-secrets"])).toMatchObject(none);
    expect(await readdir(dataDir)).not.toContain("postgres");
  },
);
