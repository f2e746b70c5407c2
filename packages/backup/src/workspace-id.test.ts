import { join } from "node:path";
import type { TestDatabase } from "@workspace/db/testing";
import { describe, expect, it } from "vitest";
import { BackupError } from "./backup-error.ts";
import type { Manifest } from "./manifest.ts";
import type { RestoreOptions } from "./restore.ts";
import { createTarget, restoreInto } from "./test-kit/restore-into.ts";
import { createTestWorkspace, makeBackup, type TestWorkspace, withRepository } from "./test-kit/test-workspace.ts";
import { adoptWorkspaceId, forgetBackups } from "./workspace-id.ts";

const idsOf = ({ backups }: TestWorkspace): Promise<string[]> =>
  withRepository(backups, {}, (repository) => repository.listBackups());

/** Makes a backup as earlier versions did, which did not say whose it was. */
async function makeAnonymousBackup(workspace: TestWorkspace): Promise<void> {
  const { id } = await makeBackup(workspace);
  await withRepository(workspace.backups, {}, async (repository) => {
    const { workspaceId: _, ...manifest }: Manifest = await repository.readManifest(id);
    await repository.writeManifest(manifest);
  });
}

/** Restores a backup into a new database. */
async function restoreElsewhere(
  { folder, backups }: TestWorkspace,
  backupId: string,
  options: Pick<RestoreOptions, "adjust"> = {},
): Promise<TestDatabase> {
  const target = await createTarget();
  const dataDir = join(folder, target.url.split("/").at(-1) ?? "");
  await withRepository(backups, {}, (repository) => restoreInto(target, { repository, backupId, dataDir, ...options }));
  return target;
}

const describeChunks = ({ backups }: TestWorkspace): Promise<Map<string, number>> =>
  withRepository(backups, {}, (repository) => Promise.resolve(new Map(repository.chunks.sizes())));

describe("a place of backups", () => {
  it("is of one workspace, and holds nothing of another", async () => {
    const [mine, theirs] = [await createTestWorkspace(), await createTestWorkspace()];
    const { id } = await makeBackup(mine);
    const before = await describeChunks(mine);
    await expect(makeBackup({ ...theirs, backups: mine.backups })).rejects.toThrow(/are of another workspace/);
    await expect(makeBackup({ ...theirs, backups: mine.backups })).rejects.toBeInstanceOf(BackupError);
    expect(await idsOf(mine)).toEqual([id]);
    expect(await describeChunks(mine)).toEqual(before);
  });

  it("goes on with a workspace that was restored from it, but not with a copy", async () => {
    const workspace = await createTestWorkspace();
    const { id } = await makeBackup(workspace);
    const restored = await restoreElsewhere(workspace, id);
    const copy = await restoreElsewhere(workspace, id, { adjust: forgetBackups });
    await expect(makeBackup({ ...workspace, database: copy })).rejects.toThrow(/are of another workspace/);
    const next = await makeBackup({ ...workspace, database: restored });
    expect(await idsOf(workspace)).toEqual([id, next.id]);
  });

  it("goes on with a workspace that was restored from a backup of an earlier version, which has no id", async () => {
    const [workspace, restored] = [await createTestWorkspace(), await createTestWorkspace()];
    await makeBackup(workspace);
    await withRepository(workspace.backups, {}, (repository) =>
      adoptWorkspaceId(restored.database.poolConfig, repository),
    );
    await makeBackup({ ...workspace, database: restored.database });
    expect(await idsOf(workspace)).toHaveLength(2);
  });

  it("is taken over only by a workspace that is told to", async () => {
    const workspace = await createTestWorkspace();
    const { pool } = workspace.database.db;
    await makeBackup(workspace);
    // As if the database was set back to a time before it had an id.
    await pool.query("DELETE FROM settings WHERE key = 'backup.workspace'");
    await expect(makeBackup(workspace)).rejects.toThrow(/are of another workspace.*--take-over/);
    expect((await pool.query("SELECT FROM settings WHERE key = 'backup.workspace'")).rows).toEqual([]);
    await makeBackup(workspace, { takesOver: true });
    await makeBackup(workspace);
    expect(await idsOf(workspace)).toHaveLength(3);
  });

  it("refuses the one that it was taken over from", async () => {
    const [mine, theirs] = [await createTestWorkspace(), await createTestWorkspace()];
    await makeBackup(mine);
    await makeBackup({ ...theirs, backups: mine.backups }, { takesOver: true });
    await expect(makeBackup(mine)).rejects.toThrow(/are of another workspace/);
  });

  it("becomes that of the first workspace of this version to store one beside those of earlier versions", async () => {
    const [mine, theirs] = [await createTestWorkspace(), await createTestWorkspace()];
    await makeAnonymousBackup(mine);
    await makeBackup(mine);
    await expect(makeBackup({ ...theirs, backups: mine.backups })).rejects.toThrow(/are of another workspace/);
  });
});
