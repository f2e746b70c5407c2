import { mkdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IncompleteError } from "./backup-error.ts";
import { prune } from "./prune.ts";
import { createTestWorkspace, makeBackup, type TestWorkspace, withRepository } from "./test-kit/test-workspace.ts";

const NEWEST_ONLY = { hourly: 0, daily: 1, weekly: 0, monthly: 0 };

const listIds = ({ backups }: TestWorkspace) => withRepository(backups, {}, (repository) => repository.listBackups());
const pruneTo = ({ backups }: TestWorkspace) =>
  withRepository(backups, {}, (repository) =>
    prune(repository, NEWEST_ONLY, { isDryRun: false, now: new Date(), made: null }),
  );

async function createWorkspaceWithNotes(count: number): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  for (let n = 0; n < count; n += 1) await workspace.writeNote(`n${n}.md`, `note ${n}`);
  return workspace;
}

test("no backup is made of an empty folder in the place of the vault, even if an earlier one has its content", async () => {
  const workspace = await createWorkspaceWithNotes(3);
  const { id } = await makeBackup(workspace);
  await rename(workspace.vault, join(workspace.folder, "elsewhere"));
  await mkdir(workspace.vault);
  await expect(makeBackup(workspace)).rejects.toThrow("3 of 3 files that the records name are missing");
  expect(await listIds(workspace)).toEqual([id]);
});

test("no backup is made of a vault without most of its files", async () => {
  const workspace = await createWorkspaceWithNotes(20);
  for (let n = 0; n < 11; n += 1) await unlink(join(workspace.vault, `n${n}.md`));
  await expect(makeBackup(workspace)).rejects.toThrow("11 of 20 files");
});

test("a vault that was emptied, and whose records followed, is backed up", async () => {
  const workspace = await createWorkspaceWithNotes(20);
  await makeBackup(workspace);
  await rm(workspace.vault, { recursive: true });
  await mkdir(workspace.vault);
  await workspace.database.db.pool.query("UPDATE documents SET deleted_at = now()");
  expect(await makeBackup(workspace)).toMatchObject({ files: 0, disagreements: [] });
});

test("a vault whose folder was renamed meanwhile is backed up", async () => {
  const workspace = await createTestWorkspace();
  for (let n = 0; n < 12; n += 1) await workspace.writeNote(`old/n${n}.md`, `note ${n}`);
  await rename(join(workspace.vault, "old"), join(workspace.vault, "new"));
  expect(await makeBackup(workspace)).toMatchObject({ files: 12, disagreements: [] });
});

test("a backup that lacks many files replaces no earlier one, and the next whole one does", async () => {
  const workspace = await createWorkspaceWithNotes(8);

  const ids = [(await makeBackup(workspace, { now: new Date("2026-11-01T03:00:00Z") })).id];

  await workspace.writeNote("new.md", "never backed up");
  await workspace.writeNote("newer.md", "never backed up either");
  for (const name of ["new.md", "newer.md"]) await unlink(join(workspace.vault, name));
  ids.push((await makeBackup(workspace, { now: new Date("2026-11-02T03:00:00Z") })).id);
  await expect(pruneTo(workspace)).rejects.toThrow(IncompleteError);
  expect(await listIds(workspace)).toEqual(ids);

  for (const name of ["new.md", "newer.md"]) await workspace.writeNote(name, "back");
  const { id } = await makeBackup(workspace, { now: new Date("2026-11-03T03:00:00Z") });
  expect(await pruneTo(workspace)).toMatchObject({ removed: ids });
  expect(await listIds(workspace)).toEqual([id]);
});
