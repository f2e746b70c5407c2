import { mkdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prune } from "./prune.ts";
import { createTestWorkspace, makeBackup, type TestWorkspace, withRepository } from "./test-kit/test-workspace.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const START = Date.parse("2026-11-01T12:00:00Z");

async function createWorkspaceWithNotes(count: number): Promise<TestWorkspace> {
  const workspace = await createTestWorkspace();
  for (let n = 0; n < count; n += 1) await workspace.writeNote(`n${n}.md`, `note ${n}`);
  return workspace;
}

/** Takes the first notes away, as another program does; the records follow. */
async function takeAway({ vault, database }: TestWorkspace, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await unlink(join(vault, `n${n}.md`));
    await database.db.pool.query("UPDATE documents SET deleted_at = now() WHERE path = $1", [`n${n}.md`]);
  }
}

/** Makes a backup, and removes what it replaces, as the service does. */
async function backUpAt(workspace: TestWorkspace, afterMs: number) {
  const now = new Date(START + afterMs);
  const { id: made, shrinkage } = await makeBackup(workspace, { now });
  const retention = { hourly: 24, daily: 1, weekly: 0, monthly: 0 };
  const { removed } = await withRepository(workspace.backups, {}, (repository) =>
    prune(repository, retention, { isDryRun: false, now, made }),
  );
  return { made, shrinkage, removed };
}

test("the last backup before many files went is kept for a month, which is told once", async () => {
  const workspace = await createWorkspaceWithNotes(40);
  const { made: whole } = await backUpAt(workspace, 0);
  await takeAway(workspace, 36);
  const shrunk = await backUpAt(workspace, 60_000);
  const keptUntil = new Date(START + 60_000 + 30 * DAY_MS).toISOString();
  expect(shrunk).toMatchObject({ removed: [], shrinkage: { before: whole, fewerFiles: 36, keptUntil } });
  const next = await backUpAt(workspace, 120_000);
  expect(next).toMatchObject({ removed: [shrunk.made], shrinkage: null });
  const later = await backUpAt(workspace, 29 * DAY_MS);
  expect(later.removed).toEqual([next.made]);
  expect((await backUpAt(workspace, 31 * DAY_MS)).removed).toEqual([whole, later.made]);
});

test("a backup with a few files less replaces the one before", async () => {
  const workspace = await createWorkspaceWithNotes(40);
  const { made } = await backUpAt(workspace, 0);
  await takeAway(workspace, 9);
  expect(await backUpAt(workspace, 60_000)).toMatchObject({ removed: [made], shrinkage: null });
});

test("what the service keeps for itself does not hide that notes went", async () => {
  const workspace = await createWorkspaceWithNotes(20);
  await mkdir(join(workspace.vault, ".workspace/versions"), { recursive: true });
  for (let n = 0; n < 300; n += 1) await writeFile(join(workspace.vault, `.workspace/versions/${n}`), `version ${n}`);
  await backUpAt(workspace, 0);
  await takeAway(workspace, 19);
  expect(await backUpAt(workspace, 60_000)).toMatchObject({ removed: [], shrinkage: { fewerFiles: 19 } });
});
