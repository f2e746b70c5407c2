import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { PoolConfig } from "pg";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import type { S3Access } from "@workspace/object-store";
import { onTestFinished } from "vitest";
import { backUp, type BackUpResult } from "../back-up.ts";
import { ensureRepository, openRepository, type Repository } from "../repository/repository.ts";

export const USER_ID = "0190a000-0000-7000-8000-000000000001";
export const KEY_FILES = ["encryption-key", "service-secret"];

/** A database with a person, a vault and a folder for backups, all removed after the test. */
export interface TestWorkspace {
  readonly database: TestDatabase;
  readonly folder: string;
  readonly dataDir: string;
  readonly vault: string;
  readonly backups: string;
  /** Writes a note with its record, like the service does. */
  writeNote(path: string, text: string): Promise<void>;
  addTasks(count: number): Promise<void>;
}

export async function createTestWorkspace(): Promise<TestWorkspace> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), "workspace-backup-test-"));
  onTestFinished(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { pool } = database.db;
  await pool.query(
    `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
    VALUES ($1, 'Ada', 'ada@example.org', true, now(), now())`,
    [USER_ID],
  );
  const dataDir = join(folder, "data");
  const vault = join(folder, "vault");
  const backups = join(folder, "backups");
  for (const path of [dataDir, vault]) await mkdir(path);
  for (const name of KEY_FILES) await writeFile(join(dataDir, name), `${name} of the test\n`);
  return {
    database,
    folder,
    dataDir,
    vault,
    backups,
    async writeNote(path, text) {
      await mkdir(dirname(join(vault, path)), { recursive: true });
      await writeFile(join(vault, path), text);
      await recordNote(database, path, text);
    },
    addTasks: (count) => addTasks(database, count),
  };
}

/** Stores the record of a note, as if its file had this text. */
export async function recordNote({ db }: TestDatabase, path: string, text: string): Promise<void> {
  await db.pool.query(
    `INSERT INTO documents (id, title, path, directory, link_name, file_type, creator_id, content_hash, size_bytes, mtime_ns,
      inode, birthtime_ns, created_at, modified_at, search_text)
    VALUES (gen_random_uuid(), $1, $1, '', $1, 'markdown', $2, $3, $4, 0, 0, 0, now(), now(), '')
    ON CONFLICT (path) WHERE deleted_at IS NULL DO UPDATE
      SET content_hash = excluded.content_hash, size_bytes = excluded.size_bytes`,
    [path, USER_ID, createHash("sha256").update(text).digest("hex"), Buffer.byteLength(text)],
  );
}

async function addTasks({ db }: TestDatabase, count: number): Promise<void> {
  await db.pool.query(
    `INSERT INTO tasks (id, title, description, status, priority, creator_id, created_at, modified_at, search_text)
    SELECT gen_random_uuid(), 'Task ' || n, E'Tabs\\tand \\\\ lines\\nof ' || n, 'todo', 2, $1, now(), now(), '' FROM generate_series(1, $2::int) n`,
    [USER_ID, count],
  );
}

/** Opens a repository, makes a backup, and releases the repository. */
export async function makeBackup(
  { database, vault, dataDir, backups }: TestWorkspace,
  {
    passphrase = null,
    now = new Date(),
    takesOver = false,
    ...elsewhere
  }: { passphrase?: string | null; now?: Date; takesOver?: boolean; dir?: string; s3?: S3Access } = {},
): Promise<BackUpResult> {
  const place = { dir: backups, passphrase, ...elsewhere };
  await ensureRepository(place);
  return withRepository(place.dir, place, (repository) =>
    backUp({
      repository,
      config: database.poolConfig,
      vaultRoot: vault,
      dataDir,
      keyFiles: KEY_FILES,
      version: "0.0.0-test",
      takesOver,
      now,
    }),
  );
}

export async function withRepository<T>(
  dir: string,
  { passphrase = null, s3 }: { passphrase?: string | null; s3?: S3Access | undefined },
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  const repository = await openRepository({ dir, passphrase, access: "write", s3: s3 ?? null });
  try {
    return await use(repository);
  } finally {
    await repository.close();
  }
}

/** All files below a folder with their texts. */
export async function readTree(root: string): Promise<Record<string, string>> {
  const names = await readdir(root, { recursive: true });
  const files: [string, string][] = [];
  for (const name of names.toSorted()) {
    if ((await stat(join(root, name))).isFile()) files.push([name, await readFile(join(root, name), "utf8")]);
  }
  return Object.fromEntries(files);
}

/** Sets the time of a file back, so that it counts as unchanged for a while. */
export async function age(path: string): Promise<void> {
  await utimes(path, 1_700_000_000, 1_700_000_000);
}

/** All rows of a database, by table, and what its schema consists of, except what only some versions of PostgreSQL list. */
export async function describeDatabase(
  config: PoolConfig,
): Promise<{ rows: Record<string, string[]>; schema: string[] }> {
  const { createDb } = await import("@workspace/db");
  const { pool, close } = createDb(config, { log: { info() {}, warn() {}, error() {} } });
  try {
    const { rows: tables } = await pool.query<{ name: string }>(
      "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' ORDER BY 1",
    );
    const rows: Record<string, string[]> = {};
    for (const { name } of tables) {
      const { rows: texts } = await pool.query<{ text: string }>(
        `SELECT t::text AS text FROM "${name}" t ${name === "settings" ? "WHERE key !~ '^backup[.](last|place)[.]'" : ""} ORDER BY 1`,
      );
      rows[name] = texts.map(({ text }) => text);
    }
    const { rows: schema } = await pool.query<{ line: string }>(`
      SELECT 'index ' || indexdef AS line FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE contype <> 'n'
      UNION ALL SELECT 'trigger ' || tgrelid::regclass || ' ' || pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
      ORDER BY 1`);
    return { rows, schema: schema.map(({ line }) => line) };
  } finally {
    await close();
  }
}
