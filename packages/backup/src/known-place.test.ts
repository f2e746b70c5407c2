import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { assertNotLost, findLoss } from "./known-place.ts";
import { createTarget, restoreInto } from "./test-kit/restore-into.ts";
import { createTestWorkspace, makeBackup, withRepository } from "./test-kit/test-workspace.ts";
import { forgetBackups } from "./workspace-id.ts";

test("a place that no longer has the backups that were made there is told apart from a new one", async () => {
  const workspace = await createTestWorkspace();
  const { backups, database } = workspace;
  const place = { dir: backups, s3: null };
  const config = database.poolConfig;
  await assertNotLost(place, config);
  const { id } = await makeBackup(workspace);
  await assertNotLost(place, config);

  const unmounted = `${backups}-unmounted`;
  await rename(backups, unmounted);
  const message = `no longer has the backups that were made there, the last of them ${id}. Check whether its disk is mounted.`;
  await expect(assertNotLost(place, config)).rejects.toThrow(message);
  await mkdir(backups);
  expect(await findLoss({ ...place, dir: `${backups}/` }, database.db.pool)).toContain(message);
  expect(await readdir(backups)).toEqual([]);
  await assertNotLost({ ...place, dir: `${backups}-other` }, config);

  // Once they go on elsewhere, the place is free.
  await makeBackup({ ...workspace, backups: unmounted });
  await assertNotLost(place, config);
});

test("a restored workspace goes on where its original was", async () => {
  const workspace = await createTestWorkspace();
  const { backups, folder } = workspace;
  await makeBackup(workspace);
  const { id: backupId } = await makeBackup(workspace);
  const target = await createTarget();
  await withRepository(backups, {}, (repository) =>
    restoreInto(target, { repository, backupId, dataDir: join(folder, "restored") }),
  );
  await rename(backups, `${backups}-unmounted`);
  await expect(assertNotLost({ dir: backups, s3: null }, target.poolConfig)).rejects.toThrow(
    "no longer has the backups",
  );
});

test("a restored copy knows no place of its original", async () => {
  const workspace = await createTestWorkspace();
  const { backups, database } = workspace;
  await makeBackup(workspace);
  await rename(backups, `${backups}-unmounted`);
  await forgetBackups(database.poolConfig);
  await assertNotLost({ dir: backups, s3: null }, database.poolConfig);
});
