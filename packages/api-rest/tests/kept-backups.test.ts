import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openRepository } from "@workspace/backup";
import { expect, onTestFinished, test } from "vitest";
import { scheduleBackups } from "./backup-choices.ts";
import { api, ENV, run, runJson } from "./command-line.ts";
import { makeDataDir, start } from "./service-process.ts";

const PATIENCE = { timeout: 60_000, interval: 100 };
const AHEAD = "20990824T120000Z-00000000";

/** Makes a backup through the service, and returns what is recorded of it. */
async function backUp(url: string): Promise<{ status: string; backupId: string; message: string | null }> {
  const { body } = await api(url, "/backups", "POST");
  const find = async () =>
    (await api(url, "/backups/runs")).body.data.find(({ id }: { id: string }) => id === body.data.id);
  await expect.poll(async () => (await find()).status, PATIENCE).not.toBe("running");
  return find();
}

/** Stores a backup again as one that was made while the clock was ahead. */
async function repeatAhead(dir: string, id: string): Promise<void> {
  const repository = await openRepository({ dir, passphrase: null, access: "write" });
  onTestFinished(() => repository.close());
  const manifest = await repository.readManifest(id);
  await repository.writeManifest({ ...manifest, id: AHEAD, createdAt: "2099-08-24T12:00:00.000Z" });
  await repository.close();
}

test("a backup of the future is named, counts for nothing, and is removed by name", { timeout: 240_000 }, async () => {
  const dataDir = await makeDataDir();
  const backups = join(dirname(dataDir), "backups");
  const env = { BACKUP_DIR: backups };
  const service = start(dataDir, { ...ENV, ...env });
  const url = await service.ready;
  await scheduleBackups(url, null);
  const first = await backUp(url);
  expect(first).toMatchObject({ status: "done" });
  await repeatAhead(backups, first.backupId);

  const { backupId, message } = await backUp(url);
  expect(message).toContain(`1 backup is later than now, because a clock was ahead, or is behind: ${AHEAD}.`);
  expect(message).not.toContain(`It has replaced the backup ${backupId}`);
  expect(await readdir(join(backups, "backups"))).toEqual(
    expect.arrayContaining([`${backupId}.manifest`, `${AHEAD}.manifest`]),
  );
  const verified = await run(dataDir, ["verify"], env);
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining(`${backupId}  whole`) });
  expect(verified.stderr).toContain(`The newest is taken to be ${backupId}.`);
  for (const command of ["backups", "prune-backups"]) {
    expect((await run(dataDir, [command], env)).stderr).toContain(`prune-backups --remove ${AHEAD}`);
  }
  expect(await runJson(dataDir, ["prune-backups", "--remove", AHEAD], env)).toMatchObject({ removed: [AHEAD] });
  expect((await run(dataDir, ["backups"], env)).stderr).not.toContain("later than now");
  await service.stop();
});

test("the last backup before many files went stays, which is told", { timeout: 240_000 }, async () => {
  const dataDir = await makeDataDir();
  const backups = join(dirname(dataDir), "backups");
  const env = { BACKUP_DIR: backups };
  const service = start(dataDir, { ...ENV, ...env });
  const url = await service.ready;
  for (let n = 0; n < 30; n += 1) await api(url, "/fs/write", "POST", { path: `n${n}.md`, content: `# ${n}` });
  await scheduleBackups(url, null);
  const whole = await backUp(url);
  for (let n = 0; n < 25; n += 1) await rm(join(dataDir, `vault/n${n}.md`));
  const countNotes = async () => (await api(url, "/documents")).body.data.length;
  await expect.poll(countNotes, PATIENCE).toBe(5);
  const shrunk = await backUp(url);
  expect(shrunk).toMatchObject({ status: "done" });
  expect(shrunk.message).toContain(`25 files fewer than in ${whole.backupId}, which is kept until `);
  expect(await runJson(dataDir, ["prune-backups"], env)).toMatchObject({ kept: [whole.backupId, shrunk.backupId] });
  await service.stop();
});

test("no backup is made where the disk of the backups is not mounted", { timeout: 240_000 }, async () => {
  const dataDir = await makeDataDir();
  const backups = join(dirname(dataDir), "backups");
  const unmounted = `${backups}-unmounted`;
  const env = { BACKUP_DIR: backups };
  const service = start(dataDir, { ...ENV, ...env });
  const url = await service.ready;
  await scheduleBackups(url, null);
  const { backupId } = await backUp(url);
  await rename(backups, unmounted);
  await mkdir(backups);

  const message = expect.stringContaining(
    `${backups} no longer has the backups that were made there, the last of them ${backupId}`,
  );
  expect(await backUp(url)).toMatchObject({ status: "failed", message });
  expect((await api(url, "/health")).body.data.backups).toEqual({ problem: "backup failed" });
  expect(await runJson(dataDir, ["backup"], env)).toMatchObject({ ok: false, code: 1, error: message });
  expect(await readdir(backups)).toEqual([]);

  expect(await runJson(dataDir, ["backup", "--begin-anew"], env)).toMatchObject({ ok: true });
  await rm(backups, { recursive: true });
  await rename(unmounted, backups);
  expect(await backUp(url)).toMatchObject({ status: "done" });
  await service.stop();
});
