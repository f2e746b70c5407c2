import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BUCKET, startS3Server } from "@workspace/object-store/testing";
import { expect, it, onTestFinished } from "vitest";
import { readRestoreMarker } from "./restore-marker.ts";
import { restoreNote } from "./restore-note.ts";
import type { RestoreOptions } from "./restore.ts";
import { createTarget, restoreInto } from "./test-kit/restore-into.ts";
import {
  createTestWorkspace,
  describeDatabase,
  makeBackup,
  readTree,
  withRepository,
} from "./test-kit/test-workspace.ts";

const PHOTO_BYTES = 4 * 1024 * 1024;

/** Damages the chunks whose sizes are as wanted. */
async function damage(backups: string, isWanted: (size: number) => boolean): Promise<void> {
  const folder = join(backups, "chunks");
  for (const name of (await readdir(folder, { recursive: true })).filter((each) => /[0-9a-f]{64}$/.test(each))) {
    const path = join(folder, name);
    if (!isWanted((await stat(path)).size)) continue;
    const bytes = await readFile(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(path, bytes);
  }
}

/** A backup in which the chunks of two large files are to be damaged, and a way to restore it. */
async function makePhotos(options: Partial<RestoreOptions> = {}) {
  const workspace = await createTestWorkspace();
  const { folder, vault, backups } = workspace;
  await workspace.addTasks(500);
  await workspace.writeNote("plan.md", "# Plan\n");
  for (const name of ["a photo.jpg", "video.mp4"]) await writeFile(join(vault, name), randomBytes(PHOTO_BYTES + 10));
  const { id } = await makeBackup(workspace);
  const target = await createTarget();
  const dataDir = join(folder, "restored");
  const run = (more: Partial<RestoreOptions> = {}) =>
    withRepository(backups, {}, (repository) =>
      restoreInto(target, { repository, backupId: id, dataDir, ...options, ...more }),
    );
  return { workspace, id, target, dataDir, run };
}

it("damaged files stop a restore, which names them, and repeated without them it restores everything else", async () => {
  const { workspace, target, dataDir, run } = await makePhotos();
  await damage(workspace.backups, (size) => size >= PHOTO_BYTES);
  const refused = await run().catch((error: unknown) => String(error));
  expect(refused).toContain('"a photo.jpg", "video.mp4"');
  expect(refused).toContain("--without-damaged");
  expect(refused).toContain("workspace verify");
  expect(await readRestoreMarker(dataDir)).not.toBeNull();

  expect(await run({ withoutDamaged: true })).toMatchObject({ files: 1, leftOut: ["a photo.jpg", "video.mp4"] });
  expect(await readTree(join(dataDir, "vault"))).toEqual({ "plan.md": "# Plan\n" });
  expect(await describeDatabase(target.poolConfig)).toEqual(await describeDatabase(workspace.database.poolConfig));
  expect(await readRestoreMarker(dataDir)).toBeNull();
});

it("nothing is left out of a whole backup", async () => {
  const { run } = await makePhotos();
  expect(await run({ withoutDamaged: true })).toMatchObject({ files: 3, leftOut: [] });
});

it("a damaged database stops a restore in any case", async () => {
  const { workspace, run } = await makePhotos();
  await damage(workspace.backups, (size) => size < PHOTO_BYTES && size > 3000);
  await expect(run({ withoutDamaged: true })).rejects.toThrow("The database of the backup");
});

it("a backup whose content is gone is named, and so is one note of it, with what can be done", async () => {
  const { workspace, id, run } = await makePhotos();
  const { vault, backups } = workspace;
  await rm(join(backups, "chunks"), { recursive: true });
  const advice = "Restore from another backup that `workspace verify --all` finds whole.";
  const named = (subject: string) => new RegExp(`^${subject} cannot be restored: .* is missing.* ${advice}$`);
  await expect(run()).rejects.toThrow(named(`The backup ${id}`));
  const note = { backupId: id, vaultRoot: vault, path: "plan.md", target: null, replaces: false, now: new Date() };
  const restored = withRepository(backups, {}, (repository) => restoreNote({ ...note, repository }));
  await expect(restored).rejects.toThrow(named(`"plan.md" of the backup ${id}`));
});

it("damaged files are left out of a vault in a store too", async () => {
  const store = await startS3Server();
  onTestFinished(() => store.close());
  const { workspace, run } = await makePhotos({ vaultRoot: `s3://${BUCKET}/vault`, vaultS3: store.access });
  await damage(workspace.backups, (size) => size >= PHOTO_BYTES);
  expect(await run({ withoutDamaged: true })).toMatchObject({ files: 1, leftOut: ["a photo.jpg", "video.mp4"] });
});

it("nothing is restored into an embedded database in a folder whose database was moved to another server", async () => {
  const { target, dataDir, run } = await makePhotos({ databaseUrl: null, replaces: true });
  await mkdir(dataDir);
  await writeFile(join(dataDir, "database-moved.txt"), "The database of this workspace was moved to db:5432/w\n");
  await expect(run()).rejects.toThrow("was moved to db:5432/w. Set DATABASE_URL");
  expect((await readdir(dataDir)).toSorted()).toEqual(["database-moved.txt", "instance.lock"]);
  await run({ databaseUrl: target.url });
  expect(await readdir(dataDir)).toContain("database-moved.txt");
});
