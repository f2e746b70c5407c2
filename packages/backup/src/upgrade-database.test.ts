import { rmSync, writeFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultMigrationsDir, migrate, startEmbeddedPostgres, type EmbeddedPostgres } from "@workspace/db";
import { createTestDatabase } from "@workspace/db/testing";
import { Client, type PoolConfig } from "pg";
import { expect, it, onTestFinished } from "vitest";
import { runVictim } from "./test-kit/run-victim.ts";
import { describeDatabase, USER_ID } from "./test-kit/test-workspace.ts";
import { moveToEmbedded, moveToExternal, upgradeDatabase, type UpgradeOptions } from "./upgrade-database.ts";

/** `KILLS=100 npx vitest run packages/backup/src/upgrade-database.test.ts` is a long hunt, for a quiet machine. */
const KILLS = Number(process.env["KILLS"] ?? 3);
const SILENT_LOG = { info() {}, warn() {}, error() {} };
const migrationsDir = defaultMigrationsDir();

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "workspace-upgrade-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

function optionsFor(dataDir: string): UpgradeOptions & { told: string[] } {
  const told: string[] = [];
  return { dataDir, migrationsDir, log: SILENT_LOG, tell: (sentence) => void told.push(sentence), told };
}

async function run(config: PoolConfig, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client(config);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function fillWithRows(config: PoolConfig): Promise<void> {
  await migrate(config, { log: SILENT_LOG, migrationsDir });
  await run(
    config,
    `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
    VALUES ($1, 'Ada', 'ada@example.org', true, now(), now())`,
    [USER_ID],
  );
  await run(
    config,
    `INSERT INTO tasks (id, title, description, status, priority, creator_id, created_at, modified_at, search_text)
    SELECT gen_random_uuid(), 'Ärger ' || n, E'Tabs\\tand \\\\ lines\\n' || n, 'todo', 2, $1, now(), now(), '' FROM generate_series(1, 3000) n`,
    [USER_ID],
  );
}

/** A data folder with a cluster of the major version before, shut down, and what is in it. */
async function createOldDataDir() {
  const dataDir = await makeFolder();
  const old = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG, programs: "previous" });
  try {
    await fillWithRows(old.poolConfig);
    return { dataDir, content: await describeDatabase(old.poolConfig) };
  } finally {
    await old.close();
  }
}

async function versionOf(dataDir: string, folder = "postgres"): Promise<number> {
  return Number(await readFile(join(dataDir, folder, "PG_VERSION"), "utf8"));
}

/** What is in the database once it has been started by the service's own programs. */
async function startAndDescribe(dataDir: string) {
  let started: EmbeddedPostgres | undefined;
  try {
    started = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
    return await describeDatabase(started.poolConfig);
  } finally {
    await started?.close();
  }
}

it("brings a cluster of the major version before to that of the service, and keeps the former", async () => {
  const { dataDir, content } = await createOldDataDir();
  await expect(startEmbeddedPostgres({ dataDir, log: SILENT_LOG })).rejects.toThrow("npx workspace upgrade-database");
  const from = await versionOf(dataDir);
  const options = optionsFor(dataDir);
  const result = await upgradeDatabase(options);
  expect(result).toMatchObject({ from: String(from), to: String(from + 1) });
  expect(result?.keptIn).toBe(join(dataDir, `postgres-${from}`));
  expect(result?.rows).toBeGreaterThan(3000);
  expect(options.told.at(-1)).toContain("remove it when you like");
  expect(await startAndDescribe(dataDir)).toEqual(content);
  expect([await versionOf(dataDir), await versionOf(dataDir, `postgres-${from}`)]).toEqual([from + 1, from]);
  expect(await upgradeDatabase(options)).toBeNull();
  expect((await readdir(dataDir)).toSorted()).toEqual(["instance.lock", "postgres", `postgres-${from}`]);
});

it("changes nothing if the disk has too little space", async () => {
  const { dataDir } = await createOldDataDir();
  const before = await versionOf(dataDir);
  const upgrade = upgradeDatabase({ ...optionsFor(dataDir), freeBytes: () => Promise.resolve(20_000_000) });
  await expect(upgrade).rejects.toThrow(/takes \d+ MB on the disk .* but 20 MB are free/);
  expect(await versionOf(dataDir)).toBe(before);
});

it("measures the database while a server that was left behind still removes files", async () => {
  const { dataDir } = await createOldDataDir();
  const file = join(dataDir, "postgres", "base", "temporary");
  const churn = setInterval(() => {
    writeFileSync(file, "");
    setImmediate(() => rmSync(file, { force: true }));
  });
  onTestFinished(() => clearInterval(churn));
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const upgrade = upgradeDatabase({ ...optionsFor(dataDir), freeBytes: () => Promise.resolve(20_000_000) });
    await expect(upgrade).rejects.toThrow("but 20 MB are free");
  }
});

it("loses nothing, wherever an upgrade is killed", { timeout: 120_000 + KILLS * 60_000 }, async () => {
  const { dataDir: original, content } = await createOldDataDir();
  const folder = await makeFolder();
  const dataDir = join(folder, "data");
  const orders = { work: "upgrade", dataDir, migrationsDir } as const;
  const unused = { config: {}, databaseUrl: "", backups: "", vault: "", keyFiles: [] };
  await cp(original, dataDir, { recursive: true });
  const wholeMs = await runVictim({ ...unused, ...orders }, null);
  for (let round = 0; round < KILLS; round += 1) {
    await rm(dataDir, { recursive: true });
    await cp(original, dataDir, { recursive: true });
    // The last moments, in which folders are renamed, get a third of the kills.
    const part = round % 3 === 0 ? 0.85 + Math.random() * 0.2 : Math.random();
    await runVictim({ ...unused, ...orders }, wholeMs * part);
    await upgradeDatabase(optionsFor(dataDir));
    expect(await startAndDescribe(dataDir)).toEqual(content);
    expect(await readdir(dataDir)).toHaveLength(3);
  }
});

it("moves an embedded database to an external one and back", async () => {
  const dataDir = await makeFolder();
  const embedded = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  await fillWithRows(embedded.poolConfig);
  const content = await describeDatabase(embedded.poolConfig);
  const external = await createTestDatabase();
  onTestFinished(() => external.close());
  const options = { ...optionsFor(dataDir), external: external.poolConfig };
  await expect(moveToExternal(options)).rejects.toThrow("in use by another running service");
  await embedded.close();
  expect(await moveToExternal(options)).toMatchObject({ next: expect.stringContaining("Set DATABASE_URL") });
  expect(await describeDatabase(external.poolConfig)).toEqual(content);
  expect((await readdir(dataDir)).toSorted()).toEqual(["database-moved.txt", "instance.lock", "postgres-moved"]);
  await run(external.poolConfig, "UPDATE tasks SET title = 'Written externally' WHERE title = 'Ärger 1'");
  const changed = await describeDatabase(external.poolConfig);
  const another = await createTestDatabase();
  onTestFinished(() => another.close());
  const mistaken = { ...options, external: another.poolConfig };
  await expect(moveToEmbedded(mistaken)).rejects.toThrow("holds no workspace. Correct DATABASE_URL.");
  await fillWithRows(another.poolConfig);
  await expect(moveToEmbedded(mistaken)).rejects.toThrow("if both are the same database");
  expect((await readdir(dataDir)).toSorted()).toEqual(["database-moved.txt", "instance.lock", "postgres-moved"]);
  await moveToEmbedded(options);
  expect(await startAndDescribe(dataDir)).toEqual(changed);
  expect((await readdir(dataDir)).toSorted()).toEqual(["instance.lock", "postgres", "postgres-moved"]);
  await expect(moveToExternal(options)).rejects.toThrow("holds a workspace already");
  const elsewhere = { ...options, dataDir: await makeFolder() };
  await expect(moveToEmbedded(elsewhere)).rejects.toThrow(`was moved into ${dataDir} on `);
  await run(external.poolConfig, "DELETE FROM settings WHERE key = 'database.moved-to'");
  await moveToEmbedded(elsewhere);
  await expect(moveToEmbedded(elsewhere)).rejects.toThrow("was moved into");
  await run(external.poolConfig, "DELETE FROM settings WHERE key = 'database.moved-to'");
  await expect(moveToEmbedded(elsewhere)).rejects.toThrow("There is an embedded database in");
});

it("starts no embedded database once it was moved, wherever the move was interrupted", async () => {
  const dataDir = await makeFolder();
  const embedded = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
  await fillWithRows(embedded.poolConfig);
  await embedded.close();
  const external = await createTestDatabase();
  onTestFinished(() => external.close());
  const options = { ...optionsFor(dataDir), external: external.poolConfig };
  await moveToExternal(options);
  const { host, port, database } = external.poolConfig;
  const moved = `was moved to ${host}:${port}/${database}. Set DATABASE_URL`;
  await expect(startEmbeddedPostgres({ dataDir, log: SILENT_LOG })).rejects.toThrow(moved);
  await expect(upgradeDatabase(options)).rejects.toThrow(moved);
  await expect(moveToExternal(options)).rejects.toThrow(moved);

  // Killed after it was decided, but before the former cluster got its other name.
  await rename(join(dataDir, "postgres-moved"), join(dataDir, "postgres"));
  await expect(startEmbeddedPostgres({ dataDir, log: SILENT_LOG })).rejects.toThrow(moved);
  const content = await describeDatabase(external.poolConfig);
  await moveToEmbedded(options);
  expect(await versionOf(dataDir, "postgres-moved")).toBe(await versionOf(dataDir));

  // Killed on the way back after it was decided, with the new cluster yet to take its place.
  await mkdir(join(dataDir, "postgres-finished"));
  await rename(join(dataDir, "postgres"), join(dataDir, "postgres-finished/postgres"));
  await writeFile(join(dataDir, "database-moved.txt"), "The database of this workspace was moved to elsewhere\n");
  expect(await startAndDescribe(dataDir)).toEqual(content);
  expect((await readdir(dataDir)).toSorted()).toEqual(["instance.lock", "postgres", "postgres-moved"]);
});
