import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTestDatabase } from "@workspace/db/testing";
import { BUCKET, startS3Server } from "@workspace/object-store/testing";
import { expect, onTestFinished, test } from "vitest";
import { scheduleBackups } from "./backup-choices.ts";
import { api, ENV, run, runJson } from "./command-line.ts";
import { makeDataDir, start } from "./service-process.ts";

const PATIENCE = { timeout: 60_000, interval: 100 };
const MISSING = "Nothing was backed up, because the vault is missing.";

/** Makes a backup through the service, and returns what is recorded of it. */
async function backUp(url: string): Promise<{ status: string; message: string | null }> {
  const { body } = await api(url, "/backups", "POST");
  const find = async () =>
    (await api(url, "/backups/runs")).body.data.find(({ id }: { id: string }) => id === body.data.id);
  await expect.poll(async () => (await find()).status, PATIENCE).not.toBe("running");
  return find();
}

test("no backup is made of an unmounted vault, and none is removed", { timeout: 240_000 }, async () => {
  const dataDir = await makeDataDir();
  const vault = join(dataDir, "vault");
  const unmounted = join(dirname(dataDir), "unmounted");
  const backups = join(dirname(dataDir), "backups");
  const env = { BACKUP_DIR: backups };
  const service = start(dataDir, { ...ENV, ...env });
  const url = await service.ready;
  for (const path of ["plan.md", "deep/idea.md"]) await api(url, "/fs/write", "POST", { path, content: `# ${path}` });
  await scheduleBackups(url, null);
  expect(await backUp(url)).toMatchObject({ status: "done" });
  const stored = await readdir(join(backups, "backups"));

  await rename(vault, unmounted);
  await mkdir(vault);
  const failed = await backUp(url);
  expect(failed).toMatchObject({ status: "failed", message: expect.stringContaining(MISSING) });
  expect((await api(url, "/health")).body.data.backups).toEqual({ problem: "backup failed" });
  expect((await api(url, "/news")).body.data.backupProblem).toMatchObject({ message: failed.message });
  const beside = await runJson(dataDir, ["backup"], env);
  expect(beside).toMatchObject({ ok: false, code: 1, error: expect.stringContaining(MISSING) });
  await service.stop();
  const alone = await runJson(dataDir, ["backup"], env);
  expect(alone).toMatchObject({ ok: false, code: 1, error: expect.stringContaining(MISSING) });
  // It is not made the vault by that either.
  expect(await readdir(vault)).toEqual([]);
  await rm(vault, { recursive: true });
  expect(await run(dataDir, ["backup"], env)).toMatchObject({ code: 1, stderr: expect.stringContaining(MISSING) });
  expect(await readdir(join(backups, "backups"))).toEqual(stored);

  await rename(unmounted, vault);
  expect(await runJson(dataDir, ["backup"], env)).toMatchObject({ ok: true, disagreements: [] });
  await rename(join(vault, "plan.md"), join(dirname(dataDir), "plan.md"));
  // An earlier backup at the same place would have its content.
  const lacking = await run(dataDir, ["backup", "--to", join(dirname(dataDir), "other")], env);
  expect(lacking).toMatchObject({
    code: 3,
    stdout: expect.stringContaining("The backup lacks 1 file: missing"),
  });
  await rename(join(dirname(dataDir), "plan.md"), join(vault, "plan.md"));
  const again = await start(dataDir, { ...ENV, ...env }).ready;
  await expect
    .poll(async () => (await api(again, "/fs/write", "POST", { path: "a.md", content: "" })).status)
    .toBe(200);
  for (const path of ["plan.md", "deep", "a.md"]) await api(again, "/fs/delete", "POST", { path });
  expect((await api(again, "/documents")).body.data).toEqual([]);
  expect(await backUp(again)).toMatchObject({ status: "done" });
});

test("no backup is made of a vault in a store that is emptied or cannot be reached", { timeout: 120_000 }, async () => {
  const store = await startS3Server();
  onTestFinished(() => store.close());
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const dataDir = await makeDataDir();
  const place = randomUUID();
  const { endpoint, accessKeyId, secretAccessKey } = store.access;
  const env = {
    ...ENV,
    DATABASE_URL: database.url,
    VAULT_PATH: `s3://${BUCKET}/${place}`,
    VAULT_S3_ENDPOINT: endpoint,
    VAULT_S3_ACCESS_KEY_ID: accessKeyId,
    VAULT_S3_SECRET_ACCESS_KEY: secretAccessKey,
    BACKUP_DIR: join(dirname(dataDir), "backups"),
  };
  const service = start(dataDir, env);
  const url = await service.ready;
  await api(url, "/fs/write", "POST", { path: "plan.md", content: "# Plan" });
  await scheduleBackups(url, null);
  expect(await backUp(url)).toMatchObject({ status: "done" });

  store.isAway = true;
  expect(await backUp(url)).toMatchObject({ status: "failed", message: expect.stringContaining(MISSING) });
  store.isAway = false;
  // Under another prefix there is nothing: the service is given the wrong one.
  const elsewhere = { ...env, VAULT_PATH: `${env.VAULT_PATH}-other` };
  const refused = await runJson(dataDir, ["backup"], elsewhere);
  expect(refused).toMatchObject({ ok: false, code: 1, error: expect.stringContaining(MISSING) });
  await service.stop();
  expect(await runJson(dataDir, ["backup"], elsewhere)).toMatchObject({ ok: false, code: 1 });
  expect(await runJson(dataDir, ["backup"], env)).toMatchObject({ ok: true, disagreements: [] });
});
