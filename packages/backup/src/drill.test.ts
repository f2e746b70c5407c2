import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defaultMigrationsDir, EmbeddedPostgresError } from "@workspace/db";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, it, onTestFinished } from "vitest";
import { drill } from "./drill.ts";
import type { TargetDatabase } from "./restore.ts";
import {
  createTestWorkspace,
  KEY_FILES,
  makeBackup,
  type TestWorkspace,
  withRepository,
} from "./test-kit/test-workspace.ts";

function runDrill({ backups, folder }: TestWorkspace, backupId: string, openDatabase: () => Promise<TargetDatabase>) {
  return withRepository(backups, {}, (repository) =>
    drill({
      repository,
      backupId,
      folder: join(folder, "drill"),
      openDatabase,
      migrationsDir: defaultMigrationsDir(),
      keyFiles: KEY_FILES,
      log: { info() {}, warn() {}, error() {} },
      now: new Date(),
    }),
  );
}

it("a drill restores everything into a place of its own, and leaves nothing there", async () => {
  const workspace = await createTestWorkspace();
  await workspace.addTasks(50);
  await workspace.writeNote("plan.md", "# Plan\n");
  const { id, rows } = await makeBackup(workspace);
  const target = await createTestDatabase();
  onTestFinished(() => target.close());
  const open = () => Promise.resolve({ config: target.poolConfig, close: () => Promise.resolve() });
  expect(await runDrill(workspace, id, open)).toMatchObject({ backupId: id, rows, files: 1, notRestoredBecause: null });
  const { rows: tasks } = await target.db.pool.query("SELECT FROM tasks");
  expect(tasks).toHaveLength(50);
  expect(await readdir(workspace.folder)).not.toContain("drill");
});

it("a drill says so if there is no PostgreSQL to restore into, after it has read everything", async () => {
  const workspace = await createTestWorkspace();
  const { id } = await makeBackup(workspace);
  const { notRestoredBecause } = await runDrill(workspace, id, () =>
    Promise.reject(new EmbeddedPostgresError("It is not installed.")),
  );
  expect(notRestoredBecause).toContain("It is not installed.");
});

it("a drill fails on a damaged backup", async () => {
  const workspace = await createTestWorkspace();
  await workspace.writeNote("plan.md", "# Plan\n");
  const { id } = await makeBackup(workspace);
  const names = await readdir(join(workspace.backups, "chunks"), { recursive: true });
  const path = join(workspace.backups, "chunks", names.find((name) => /[0-9a-f]{64}$/.test(name)) ?? "");
  const bytes = await readFile(path);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  await writeFile(path, bytes);
  await expect(runDrill(workspace, id, () => Promise.reject(new Error("not reached")))).rejects.toThrow("is damaged");
});
