import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { prune } from "./prune.ts";
import { describeFuture } from "./retention.ts";
import { createTestWorkspace, makeBackup, withRepository } from "./test-kit/test-workspace.ts";

const NEWEST_ONLY = { hourly: 0, daily: 1, weekly: 0, monthly: 0 };
const NOW = new Date("2026-11-24T20:00:00Z");
const minutes = (count: number): Date => new Date(NOW.getTime() + count * 60_000);

async function createWorkspaceWithBackupOf2029() {
  const workspace = await createTestWorkspace();
  for (let n = 0; n < 10; n += 1) await workspace.writeNote(`n${n}.md`, `note ${n}`);
  const { id } = await makeBackup(workspace, { now: new Date("2029-08-24T12:00:00Z") });
  return { workspace, ahead: id };
}

test("a backup of the future stays beside the newest, and removes none that was made later", async () => {
  const { workspace, ahead } = await createWorkspaceWithBackupOf2029();
  const first = await makeBackup(workspace, { now: NOW });
  const { id: made } = await makeBackup(workspace, { now: minutes(1) });
  await withRepository(workspace.backups, {}, async (repository) => {
    const { removed } = await prune(repository, NEWEST_ONLY, { isDryRun: false, now: minutes(1), made });
    expect(removed).toEqual([first.id]);
    expect(await repository.listBackups()).toEqual([made, ahead]);
    expect(describeFuture([made, ahead], minutes(1))).toEqual([expect.stringContaining(`--remove ${ahead}`)]);
  });
});

test("what was just made stays, even if another clock was a little ahead", async () => {
  const workspace = await createTestWorkspace();
  const { id: ahead } = await makeBackup(workspace, { now: minutes(30) });
  const { id: made } = await makeBackup(workspace, { now: NOW });
  await withRepository(workspace.backups, {}, async (repository) => {
    expect(await prune(repository, NEWEST_ONLY, { isDryRun: false, now: NOW, made })).toMatchObject({ removed: [] });
    expect(await repository.listBackups()).toEqual([made, ahead]);
  });
});

test("what has changed since a backup of the future is stored once", async () => {
  const { workspace } = await createWorkspaceWithBackupOf2029();
  await workspace.writeNote("large.md", Array.from({ length: 50_000 }, () => Math.random()).join(" "));
  await makeBackup(workspace, { now: NOW });
  // Otherwise, the same files would give the same chunk.
  await workspace.writeNote("n0.md", "another text");
  const { size } = await stat(join(workspace.vault, "large.md"));
  expect((await makeBackup(workspace, { now: minutes(5) })).writtenBytes).toBeLessThan(size / 10);
});

test("a backup of the future that does not say whose it is does not open the place to others", async () => {
  const { workspace, ahead } = await createWorkspaceWithBackupOf2029();
  await makeBackup(workspace, { now: NOW });
  await withRepository(workspace.backups, {}, async (repository) => {
    const { workspaceId: _, ...manifest } = await repository.readManifest(ahead);
    await repository.writeManifest(manifest);
  });
  const theirs = await createTestWorkspace();
  const attempt = makeBackup({ ...theirs, backups: workspace.backups }, { now: minutes(5) });
  await expect(attempt).rejects.toThrow("of another workspace");
});
