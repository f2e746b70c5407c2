import { chmod, readdir, readFile, rename, rm, stat, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultMigrationsDir, migrate } from "@workspace/db";
import { describe, expect, it } from "vitest";
import { createContentWriter } from "./content-writer.ts";
import { emptyDatabase } from "./database/load-database.ts";
import { readDatabase } from "./database/read-database.ts";
import { prune } from "./prune.ts";
import { ensureRepository, openRepository } from "./repository/repository.ts";
import type { RestoreResult } from "./restore.ts";
import { createTarget, restoreInto } from "./test-kit/restore-into.ts";
import {
  age,
  createTestWorkspace,
  describeDatabase,
  makeBackup,
  readTree,
  type TestWorkspace,
  USER_ID,
  withRepository,
} from "./test-kit/test-workspace.ts";
import { verifyBackup } from "./verify.ts";

const log = { info() {}, warn() {}, error() {} };

async function restoreCopy(
  { folder, backups }: TestWorkspace,
  backupId: string,
  { passphrase = null, isUnmigrated = false }: { passphrase?: string | null; isUnmigrated?: boolean } = {},
): Promise<{
  result: RestoreResult;
  dataDir: string;
  vault: string;
  content: Awaited<ReturnType<typeof describeDatabase>>;
}> {
  const target = await createTarget();
  if (isUnmigrated) await emptyDatabase(target.poolConfig);
  const dataDir = join(folder, "restored");
  const result = await withRepository(backups, { passphrase }, (repository) =>
    restoreInto(target, { repository, backupId, dataDir }),
  );
  return { result, dataDir, vault: join(dataDir, "vault"), content: await describeDatabase(target.poolConfig) };
}

async function listChunks(backups: string): Promise<string[]> {
  const names = await readdir(join(backups, "chunks"), { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}$/.test(name)).map((name) => join(backups, "chunks", name));
}

describe("a backup", () => {
  it("restores every row, file, folder, link and key, and the whole schema", async () => {
    const workspace = await createTestWorkspace();
    await workspace.addTasks(500);
    await workspace.writeNote("plan.md", "# Plan\n");
    await workspace.writeNote("deep/er/größe.md", "x".repeat(5000));
    await writeFile(join(workspace.vault, "large.bin"), Buffer.alloc(9_000_000, "abc"));
    await writeFile(join(workspace.vault, "empty.md"), "");
    await chmod(join(workspace.vault, "empty.md"), 0o640);
    await symlink("plan.md", join(workspace.vault, "link.md"));

    const { id, disagreements, rows } = await makeBackup(workspace);
    const { result, vault, dataDir, content } = await restoreCopy(workspace, id);

    expect(disagreements).toEqual([]);
    expect(result).toMatchObject({ rows, files: 4, hasKeys: true });
    expect(await readTree(vault)).toEqual(await readTree(workspace.vault));
    expect((await stat(join(vault, "empty.md"))).mode & 0o777).toBe(0o640);
    expect(content).toEqual(await describeDatabase(workspace.database.poolConfig));
    expect(await readFile(join(dataDir, "encryption-key"), "utf8")).toBe("encryption-key of the test\n");
    expect(await readdir(dataDir)).not.toContain("restore-in-progress.json");
  });

  it("stores only what has changed since the last", async () => {
    const workspace = await createTestWorkspace();
    await workspace.addTasks(60_000);
    for (let n = 0; n < 50; n += 1) await workspace.writeNote(`n${n}.md`, `note ${n} ${Math.random()}`);
    const first = await makeBackup(workspace);
    const unchanged = await makeBackup(workspace);
    await workspace.database.db.pool.query("UPDATE tasks SET title = 'other' WHERE title = 'Task 59999'");
    await workspace.writeNote("n7.md", "another text");
    const changed = await makeBackup(workspace);

    // The settings name the last backup, and files that have just been written are read again.
    expect(unchanged.writtenBytes).toBeLessThan(first.writtenBytes / 20);
    expect(changed.writtenBytes).toBeLessThan(first.writtenBytes * 0.9);
    const { content, vault } = await restoreCopy(workspace, changed.id);
    expect(content).toEqual(await describeDatabase(workspace.database.poolConfig));
    expect(await readFile(join(vault, "n7.md"), "utf8")).toBe("another text");
  });

  it("of an older schema is brought to that of this version", async () => {
    const workspace = await createTestWorkspace();
    const { database } = workspace;
    const names = (await readdir(defaultMigrationsDir())).filter((name) => /^\d/.test(name)).toSorted();
    // Before webhooks, hidden reminders and other tables that there are now.
    const older = names.slice(
      0,
      names.findIndex((name) => name.endsWith("_webhooks")),
    );
    await emptyDatabase(database.poolConfig);
    await migrate(database.poolConfig, { log, only: new Set(older) });
    await database.db.pool.query(
      `INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
      VALUES ($1, 'Ada', 'ada@example.org', true, now(), now())`,
      [USER_ID],
    );
    await workspace.addTasks(30);
    const { id } = await makeBackup(workspace);
    const { content } = await restoreCopy(workspace, id, { isUnmigrated: true });
    expect(content.rows["tasks"]).toHaveLength(30);
    const today = await createTarget();
    expect(content.schema).toEqual((await describeDatabase(today.poolConfig)).schema);
  });

  it("keeps earlier states", async () => {
    const workspace = await createTestWorkspace();
    await workspace.addTasks(10);
    await workspace.writeNote("a.md", "first");
    // The first backup gives it an id.
    await makeBackup(workspace);
    const before = await describeDatabase(workspace.database.poolConfig);
    const { id } = await makeBackup(workspace);
    await workspace.database.db.pool.query("DELETE FROM tasks");
    await workspace.writeNote("a.md", "second");
    await makeBackup(workspace);

    const { content, vault } = await restoreCopy(workspace, id);
    expect(content).toEqual(before);
    expect(await readFile(join(vault, "a.md"), "utf8")).toBe("first");
  });

  it("sorts after an earlier one of the same second", async () => {
    const workspace = await createTestWorkspace();
    const ids: string[] = [];
    for (const millisecond of [0, 9, 10, 99, 100, 500, 999]) {
      const { id } = await makeBackup(workspace, { now: new Date(Date.UTC(2026, 10, 24, 3, 0, 0, millisecond)) });
      ids.push(id);
    }
    expect(ids.toSorted()).toEqual(ids);
  });

  it("notices rows that were deleted, in a table that is otherwise unchanged", async () => {
    const workspace = await createTestWorkspace();
    await workspace.addTasks(100);
    await makeBackup(workspace);
    await workspace.database.db.pool.query("DELETE FROM tasks WHERE title IN ('Task 3', 'Task 4')");
    const { id } = await makeBackup(workspace);
    const { content } = await restoreCopy(workspace, id);
    expect(content.rows["tasks"]).toHaveLength(98);
  });

  it("compares a database only with the backup that it names as its last, because one that was set back names an earlier one", async () => {
    const workspace = await createTestWorkspace();
    await workspace.addTasks(100);
    const { id } = await makeBackup(workspace);
    const asked = () =>
      withRepository(workspace.backups, {}, async ({ id: repositoryId, chunks }) => {
        const ids: string[] = [];
        const findEarlier = (backupId: string) => Promise.resolve((ids.push(backupId), []));
        const writer = createContentWriter(chunks);
        await readDatabase({ config: workspace.database.poolConfig, writer, repositoryId, findEarlier });
        await writer.finish();
        return ids;
      });
    expect(await asked()).toEqual([id]);
    await workspace.database.db.pool.query("DELETE FROM settings WHERE starts_with(key, 'backup.last.')");
    expect(await asked()).toEqual([]);
  });

  it("takes a note that is changed, moved or deleted after the database was read from where it is kept", async () => {
    const workspace = await createTestWorkspace();
    const { vault, database } = workspace;
    const hash = "6d1f5e8a"; // only part of a name
    for (const name of ["changed", "moved", "deleted", "lost"])
      await workspace.writeNote(`${name}.md`, `text of ${name}`);
    // The records say what was; the files are what the service has made of them since.
    await workspace.writeNote(`.workspace/versions/ab/${hash}`, "text of changed");
    await database.db.pool.query("UPDATE documents SET deleted_at = now() WHERE starts_with(path, '.workspace')");
    await writeFile(join(vault, "changed.md"), "newer text");
    await rename(join(vault, "moved.md"), join(vault, "elsewhere.md"));
    await workspace.writeNote(".workspace/trash/1/content", "text of deleted");
    await database.db.pool.query("UPDATE documents SET deleted_at = now() WHERE starts_with(path, '.workspace')");
    await unlink(join(vault, "deleted.md"));
    await unlink(join(vault, "lost.md"));

    const { id, disagreements } = await makeBackup(workspace);
    const { vault: restored } = await restoreCopy(workspace, id);
    const tree = await readTree(restored);
    expect(Object.keys(tree).filter((name) => !name.startsWith("."))).toEqual(["changed.md", "deleted.md", "moved.md"]);
    expect(tree["changed.md"]).toBe("text of changed");
    expect(disagreements).toEqual([{ path: "lost.md", problem: "missing" }]);
  });

  it("marks a note whose file is not what its record says", async () => {
    const workspace = await createTestWorkspace();
    await workspace.writeNote("a.md", "as recorded");
    await writeFile(join(workspace.vault, "a.md"), "changed outside");
    await age(join(workspace.vault, "a.md"));
    const { disagreements } = await makeBackup(workspace);
    expect(disagreements).toEqual([{ path: "a.md", problem: "changed" }]);
  });

  it("is of one moment, while rows and notes are written", async () => {
    const workspace = await createTestWorkspace();
    const stop = new AbortController();
    const writing = (async () => {
      for (let n = 0; !stop.signal.aborted; n += 1) {
        await workspace.addTasks(3);
        await workspace.writeNote(`n${n % 20}.md`, `text ${n}`);
      }
    })();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) ids.push((await makeBackup(workspace)).id);
    stop.abort();
    await writing;
    for (const id of ids) {
      const { result, content } = await restoreCopy(workspace, id);
      await rm(join(workspace.folder, "restored"), { recursive: true });
      // Three tasks are added at once, so any other number is a half-written moment.
      expect((content.rows["tasks"] ?? []).length % 3).toBe(0);
      expect(result.backupId).toBe(id);
    }
  });
});

describe("an encrypted backup", () => {
  it("is restored with its passphrase, and with no other", async () => {
    const workspace = await createTestWorkspace();
    await workspace.writeNote("secret.md", "a very secret text, which is nowhere to be found");
    const { id } = await makeBackup(workspace, { passphrase: "correct horse" });
    const open = (passphrase: string | null) => openRepository({ dir: workspace.backups, passphrase, access: "read" });
    await expect(open("wrong")).rejects.toThrow("The passphrase is not that of these backups.");
    await expect(open(null)).rejects.toThrow("These backups are encrypted");
    const { vault } = await restoreCopy(workspace, id, { passphrase: "correct horse" });
    expect(await readFile(join(vault, "secret.md"), "utf8")).toContain("very secret");
  });

  it("contains no text in the clear, and names that say nothing", async () => {
    const workspace = await createTestWorkspace();
    const text = Array.from({ length: 100 }, () => Math.random().toString(36)).join("");
    await workspace.writeNote("secret.md", text);
    await makeBackup(workspace);
    const plain = await listChunks(workspace.backups);
    await rm(workspace.backups, { recursive: true });
    await makeBackup(workspace, { passphrase: "correct horse" });
    const encrypted = await listChunks(workspace.backups);
    expect(encrypted.filter((path) => plain.includes(path))).toEqual([]);
    for (const path of encrypted) expect((await readFile(path)).includes(text.slice(0, 12))).toBe(false);
  });

  it("does not begin without encryption where a passphrase is expected", async () => {
    const workspace = await createTestWorkspace();
    await makeBackup(workspace);
    await expect(makeBackup(workspace, { passphrase: "now" })).rejects.toThrow("These backups are not encrypted");
  });
});

describe("a damaged backup", () => {
  it("is found by verifying it, and not restored", async () => {
    const workspace = await createTestWorkspace();
    await workspace.addTasks(50);
    const { id } = await makeBackup(workspace);
    for (const path of await listChunks(workspace.backups)) {
      const bytes = await readFile(path);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      await writeFile(path, bytes);
    }
    const { problems } = await withRepository(workspace.backups, {}, (repository) => verifyBackup(repository, id));
    expect(problems.length).toBeGreaterThan(0);
    await expect(restoreCopy(workspace, id)).rejects.toThrow("damaged");
  });

  it("is mended by the next backup if a chunk is gone", async () => {
    const workspace = await createTestWorkspace();
    await workspace.addTasks(50);
    await workspace.writeNote("a.md", "text");
    const { id } = await makeBackup(workspace);
    for (const path of await listChunks(workspace.backups)) await rm(path);
    const check = (backupId: string) =>
      withRepository(workspace.backups, {}, (repository) => verifyBackup(repository, backupId));
    expect((await check(id)).problemCount).toBeGreaterThan(0);
    const second = await makeBackup(workspace);
    expect(second.lostChunks).toBeGreaterThan(0);
    expect((await check(second.id)).problems).toEqual([]);
    expect(await makeBackup(workspace)).toMatchObject({ lostChunks: 0 });
  });

  it("has a list that no bit can change", async () => {
    const workspace = await createTestWorkspace();
    const { id } = await makeBackup(workspace);
    const path = join(workspace.backups, "backups", `${id}.manifest`);
    const bytes = await readFile(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 4;
    await writeFile(path, bytes);
    const { problems } = await withRepository(workspace.backups, {}, (repository) => verifyBackup(repository, id));
    expect(problems).toHaveLength(1);
  });
});

describe("a folder of backups", () => {
  it("is refused if it holds anything else", async () => {
    const workspace = await createTestWorkspace();
    await expect(ensureRepository({ dir: workspace.dataDir, passphrase: null })).rejects.toThrow("neither empty nor");
  });

  it("is used by one process at a time", async () => {
    const workspace = await createTestWorkspace();
    await makeBackup(workspace);
    await withRepository(workspace.backups, {}, async () => {
      await expect(makeBackup(workspace)).rejects.toThrow("Another backup, restore or check");
    });
  });

  it("loses what retention does not keep, and nothing else", async () => {
    const workspace = await createTestWorkspace();
    const ids: string[] = [];
    for (const day of ["01", "02", "03"]) {
      await workspace.addTasks(20);
      await workspace.writeNote("a.md", `text of ${day}`);
      ids.push((await makeBackup(workspace, { now: new Date(`2026-11-${day}T03:00:00Z`) })).id);
    }
    const retention = { hourly: 0, daily: 1, weekly: 0, monthly: 0 };
    const run = (isDryRun: boolean) =>
      withRepository(workspace.backups, {}, (repository) =>
        prune(repository, retention, { isDryRun, now: new Date(), made: null }),
      );
    const before = await listChunks(workspace.backups);
    const planned = await run(true);
    expect(await listChunks(workspace.backups)).toEqual(before);
    const done = await run(false);
    expect(done).toEqual(planned);
    expect(done.removed).toEqual(ids.slice(0, 2));
    expect(await listChunks(workspace.backups)).toHaveLength(before.length - done.removedChunks);
    const newest = ids.at(-1) ?? "";
    const { problems } = await withRepository(workspace.backups, {}, (repository) => verifyBackup(repository, newest));
    expect(problems).toEqual([]);
  });
});
