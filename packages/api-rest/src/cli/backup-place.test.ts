import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { assertOutsideOfVault, warnOfSharedLoss } from "./backup-place.ts";

async function makePlaces() {
  const folder = await mkdtemp(join(tmpdir(), "workspace-places-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const vault = join(dataDir, "vault");
  await mkdir(vault, { recursive: true });
  const link = join(folder, "link");
  await symlink(vault, link);
  return { folder, dataDir, vault, link };
}

test("backups may neither be in the vault nor contain it, whatever path leads there", async () => {
  const { folder, dataDir, vault, link } = await makePlaces();
  for (const dir of [vault, join(vault, "b"), join(link, "new/b")]) {
    expect(() => assertOutsideOfVault(dir, vault)).toThrow("inside the vault");
  }
  expect(() => assertOutsideOfVault(dataDir, vault)).toThrow("contains the vault");
  expect(() => assertOutsideOfVault(join(vault, "b"), link)).toThrow("inside the vault");
  for (const dir of [join(folder, "vault"), join(dataDir, "vault-backups")]) {
    expect(() => assertOutsideOfVault(dir, vault)).not.toThrow();
  }
});

test("backups in the data folder are warned of, whatever path leads there", async () => {
  const { folder, dataDir } = await makePlaces();
  const link = join(folder, "elsewhere");
  await symlink(dataDir, link);
  for (const dir of [join(dataDir, "b"), join(link, "b")]) {
    expect(warnOfSharedLoss(dir, dataDir)).toEqual([expect.stringContaining("lost together with it")]);
  }
  for (const dir of [join(folder, "b"), join(folder, "data-backups"), "s3://bucket/b"]) {
    expect(warnOfSharedLoss(dir, dataDir)).toEqual([]);
  }
});
