/**
 * How long a first backup takes, one after which nothing has changed, one after a little has, the check and the restore; and how
 * much space backups need:
 *
 *   npm run bench -- backup [tasks=100000] [documents=20000] [events=1000000]
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { backUp, ensureRepository, openRepository, restore, verifyBackup, type Repository } from "@workspace/backup";
import { defaultMigrationsDir, startEmbeddedPostgres, type Db, type PoolConfig } from "@workspace/db";
import { withBenchDatabase } from "./bench-database.ts";
import { seedHookEvents, seedTasks } from "./seed.ts";
import { writeNotes } from "./vault-notes.ts";

const [tasks = 100_000, documents = 20_000, events = 1_000_000] = process.argv.slice(2).map(Number);
const USER_ID = "0190a000-0000-7000-8000-000000000001";

await withBenchDatabase(async (db, dataDir) => {
  const vaultRoot = join(dataDir, "vault");
  const dir = join(dataDir, "backups");
  await seed(db, vaultRoot);
  const { rows } = await db.pool.query<{ size: string }>(
    "SELECT pg_size_pretty(pg_database_size(current_database())) AS size",
  );
  console.log(`database: ${rows[0]?.size}; vault: ${megabytes(await sizeOf(vaultRoot))}`);

  await ensureRepository({ dir, passphrase: "a passphrase of the bench" });
  const config: PoolConfig = db.pool.options;
  const make = (name: string) => measure(name, dir, (repository) => backUp(optionsFor(repository)));
  const optionsFor = (repository: Repository) => ({
    repository,
    config: { host: config.host, port: config.port, user: config.user, database: config.database, ssl: false },
    vaultRoot,
    dataDir,
    keyFiles: [],
    version: "bench",
    now: new Date(),
  });
  // A file that has just been written is read again, in case it changes within the same instant.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  await make("first");
  await make("unchanged");
  await make("unchanged");
  await db.pool.query("UPDATE tasks SET title = 'changed' WHERE id IN (SELECT id FROM tasks ORDER BY id LIMIT 100)");
  await seedHookEvents(db.pool, 1000);
  const { id } = await make("100 tasks and 1,000 events changed");
  console.log(`backups: ${megabytes(await sizeOf(dir))}`);
  await measure("verify", dir, (repository) => verifyBackup(repository, id));
  await measure("restore", dir, async (repository) => {
    const target = join(dataDir, "restored");
    await restore({
      repository,
      backupId: id,
      dataDir: target,
      vaultRoot: join(target, "vault"),
      databaseUrl: null,
      async openDatabase() {
        const postgres = await startEmbeddedPostgres({ dataDir: target, log: { info() {}, warn() {}, error() {} } });
        return { config: postgres.poolConfig, close: () => postgres.close() };
      },
      migrationsDir: defaultMigrationsDir(),
      keyFiles: [],
      log: { info() {}, warn() {}, error() {} },
      replaces: false,
      now: new Date(),
    });
  });
});

async function measure<T>(name: string, dir: string, work: (repository: Repository) => Promise<T>): Promise<T> {
  const repository = await openRepository({ dir, passphrase: "a passphrase of the bench", access: "write" });
  try {
    const startedAt = performance.now();
    const cpu = process.cpuUsage();
    const result = await work(repository);
    const { user, system } = process.cpuUsage(cpu);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const written = megabytes(repository.chunks.writtenBytes);
    console.log(`${name}: ${seconds} s (${((user + system) / 1e6).toFixed(1)} s of this process), wrote ${written}`);
    return result;
  } finally {
    await repository.close();
  }
}

async function seed(db: Db, vaultRoot: string): Promise<void> {
  await db.pool.query(
    `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
    VALUES ($1, 'Ada', 'ada@example.org', true, now(), now())`,
    [USER_ID],
  );
  await seedTasks(db.pool, tasks);
  await seedHookEvents(db.pool, events);
  await mkdir(vaultRoot, { recursive: true });
  await writeNotes(vaultRoot, 0, documents, 1);
  await writeFile(join(vaultRoot, "photo.jpg"), createHash("shake256", { outputLength: 20_000_000 }).digest());
  for (const name of await readdir(vaultRoot, { recursive: true })) {
    const path = join(vaultRoot, name);
    if (!(await stat(path)).isFile()) continue;
    const content = await readFile(path);
    await db.pool.query(
      `WITH document AS (
        INSERT INTO documents (id, title, path, directory, link_name, file_type, creator_id, content_hash, size_bytes, mtime_ns,
          inode, birthtime_ns, created_at, modified_at, search_text)
        VALUES (gen_random_uuid(), $1, $1, '', $1, 'markdown', $2, $3, $4, 0, 0, 0, now(), now(), '') RETURNING id
      )
      INSERT INTO document_texts (document_id, content_hash, content, search_text) SELECT id, $3, $5, lower($5) FROM document`,
      [
        name,
        USER_ID,
        createHash("sha256").update(content).digest("hex"),
        content.byteLength,
        name.endsWith(".md") ? content.toString() : "",
      ],
    );
  }
  await db.pool.query("VACUUM ANALYZE");
}

async function sizeOf(dir: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(dir, { recursive: true })) {
    const found = await stat(join(dir, name));
    if (found.isFile()) bytes += found.size;
  }
  return bytes;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
