import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test } from "vitest";
import { BACKUP_CHOICES } from "./backup-choices.ts";
import { ENV, run, runJson } from "./command-line.ts";
import { makeDataDir, start } from "./service-process.ts";
import { signInAt } from "./test-server.ts";

test("commands use the place and the passphrase of the settings, before BACKUP_DIR", { timeout: 120_000 }, async () => {
  const dataDir = await makeDataDir();
  const folder = dirname(dataDir);
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const env = { DATABASE_URL: database.url, PORT: "0" };
  const none = await run(dataDir, ["verify"], env);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("Say where the backups are: --from FOLDER") });
  const service = start(dataDir, { ...ENV, ...env });
  const asAdmin = await signInAt(await service.ready);
  const place = join(folder, "backups");
  const passphrase = "correct horse battery";
  const body = { ...BACKUP_CHOICES, place, passphrase };
  expect((await asAdmin("PUT", "/api/settings/backups", { body })).status).toBe(200);
  await service.stop();

  const made = await runJson(dataDir, ["backup"], { ...env, BACKUP_DIR: join(folder, "other") });
  expect(made).toMatchObject({ code: 0, folder: place, isEncrypted: true });
  expect(await runJson(dataDir, ["verify"], env)).toMatchObject({ code: 0, folder: place, isGood: true });
  const { findings } = await runJson(dataDir, ["doctor"], env);
  expect(findings).toContainEqual({ subject: "backups", state: "good", message: expect.stringContaining(place) });
  const pruned = await run(dataDir, ["prune-backups"], env);
  expect(pruned).toMatchObject({ code: 2, stderr: expect.stringContaining("--from FOLDER, or set BACKUP_DIR.") });

  await rename(join(dataDir, "encryption-key"), join(folder, "encryption-key"));
  const locked = await run(dataDir, ["backups"], env);
  expect(locked).toMatchObject({ code: 1, stderr: expect.stringContaining("Put back the file encryption-key") });
  const file = join(folder, "passphrase");
  await writeFile(file, passphrase);
  const opened = await runJson(dataDir, ["backups", "--passphrase-file", file], env);
  expect(opened).toMatchObject({ code: 0, folder: place, backups: [{ id: made["id"] }] });
});
