import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { recordSyncs, type SyncRecord } from "@workspace/db/testing";
import { expect, it, onTestFinished } from "vitest";
import { createContentReader } from "./content-reader.ts";
import { emptyDatabase } from "./database/load-database.ts";
import { referencedParts } from "./needed-chunks.ts";
import { createTarget, restoreInto } from "./test-kit/restore-into.ts";
import { createTestWorkspace, makeBackup, type TestWorkspace, withRepository } from "./test-kit/test-workspace.ts";
import { verifyBackup } from "./verify.ts";

// Power cuts themselves are a matter of `npm run bench -- power-cuts`; here it is what is synced, and when.

/** Leaves what a backup leaves that is killed right before it lists itself; returns the paths of its chunks. */
async function interruptBackup(workspace: TestWorkspace): Promise<string[]> {
  const { id } = await makeBackup(workspace);
  await rm(join(workspace.backups, "backups", `${id}.manifest`));
  const chunks = join(workspace.backups, "chunks");
  const names = await readdir(chunks, { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}$/.test(name)).map((name) => join(chunks, name));
}

async function record(): Promise<SyncRecord> {
  const syncs = await recordSyncs();
  onTestFinished(() => syncs.stop());
  return syncs;
}

it.runIf(process.platform === "linux")("syncs the folders of chunks that a killed backup has left", async () => {
  const workspace = await createTestWorkspace();
  await writeFile(join(workspace.vault, "large.bin"), randomBytes(9_000_000));
  const left = await interruptBackup(workspace);
  const syncs = await record();
  const { id } = await makeBackup(workspace);
  const used = await withRepository(workspace.backups, {}, async (repository) => {
    const parts = referencedParts(await repository.readManifest(id), createContentReader(repository.chunks));
    const chunks = new Set<string>();
    for await (const [chunk] of parts) chunks.add(chunk);
    return chunks;
  });
  const taken = left.filter((path) => used.has(basename(path)));
  expect(taken.length).toBeGreaterThanOrEqual(3);
  expect(syncs.paths).toEqual(
    expect.arrayContaining([dirname(dirname(left[0] ?? "")), ...taken.map((path) => dirname(path))]),
  );
});

it("stores a chunk anew that was left damaged", async () => {
  const workspace = await createTestWorkspace();
  await workspace.addTasks(500);
  for (const chunk of await interruptBackup(workspace)) await truncate(chunk, 10);
  const { id } = await makeBackup(workspace);
  const { problems } = await withRepository(workspace.backups, {}, (repository) => verifyBackup(repository, id));
  expect(problems).toEqual([]);
});

it.runIf(process.platform === "linux")("moves what was there away durably before it writes anything", async () => {
  const workspace = await createTestWorkspace();
  await workspace.writeNote("plan.md", "# Plan\n");
  const { id: backupId } = await makeBackup(workspace);
  const target = await createTarget();
  await emptyDatabase(target.poolConfig);
  const dataDir = join(workspace.folder, "restored");
  const vaultRoot = join(workspace.folder, "elsewhere/vault");
  await mkdir(vaultRoot, { recursive: true });
  await writeFile(join(vaultRoot, "former.md"), "former");
  const syncs = await record();
  const { movedTo } = await withRepository(workspace.backups, {}, (repository) =>
    restoreInto(target, { repository, backupId, dataDir, vaultRoot, replaces: true }),
  );
  expect(await readFile(join(movedTo[0] ?? "", "former.md"), "utf8")).toBe("former");
  const marks = syncs.paths.flatMap((path, index) =>
    dirname(path) === dataDir && path.endsWith(".draft") ? [index] : [],
  );
  const moved = syncs.paths.indexOf(dirname(vaultRoot));
  // The first mark says that things are being moved, the second that what is there was written by the restore.
  expect(marks.length).toBeGreaterThanOrEqual(2);
  expect(moved).toBeGreaterThan(marks[0] ?? Infinity);
  expect(moved).toBeLessThan(marks[1] ?? 0);
});
