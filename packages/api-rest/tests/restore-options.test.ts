import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { eventually, startWebhookReceiver } from "@workspace/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { scheduleBackups } from "./backup-choices.ts";
import { api, ENV, run, runJson } from "./command-line.ts";
import { makeDataDir, start } from "./service-process.ts";

const AGENT = { name: "Gardener", schedule: "0 0 1 1 *", prompt: "Water the plants", enabled: true };

/** What a workspace does by itself. */
async function readActivity(url: string) {
  const [agents, webhooks, backups] = await Promise.all(
    ["/agents", "/webhooks", "/settings/backups"].map(async (path) => (await api(url, path)).body.data),
  );
  return {
    agents: agents.map(({ enabled }: { enabled: boolean }) => enabled),
    webhooks: webhooks.map(({ isEnabled }: { isEnabled: boolean }) => isEnabled),
    backups: { isScheduled: backups.isScheduled, place: backups.place },
  };
}

test("a copy does nothing by itself beside its original, unless it is restored as the original", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const dataDir = await makeDataDir();
  const folder = dirname(dataDir);
  const place = join(folder, "backups");
  const original = start(dataDir, ENV);
  const url = await original.ready;
  await api(url, "/agents", "POST", AGENT);
  const { body } = await api(url, "/webhooks", "POST", {
    name: "Other",
    url: receiver.urlOf("/hook"),
    events: ["task.*"],
  });
  receiver.verify("/hook", body.data.secret);
  await scheduleBackups(url, place);
  await runJson(dataDir, ["backup", "--to", place]);
  const before = { agents: [true], webhooks: [true], backups: { isScheduled: true, place } };
  expect(await readActivity(url)).toEqual(before);
  await api(url, "/tasks", "POST", { title: "Of the original" });
  await eventually(() => receiver.of("/hook").length === 1);
  await original.stop();

  const copy = join(folder, "copy");
  const told = await run(copy, ["restore", "--as-copy", "--from", place]);
  expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining("may run beside the original") });
  const copyUrl = await start(copy, ENV).ready;
  expect(await readActivity(copyUrl)).toEqual({
    agents: [false],
    webhooks: [false],
    backups: { isScheduled: false, place: null },
  });
  await api(copyUrl, "/tasks", "POST", { title: "Of the copy" });
  expect((await api(copyUrl, "/webhooks")).body.data).toMatchObject([{ pending: 0 }]);

  const other = join(folder, "other");
  const warned = await run(other, ["restore", "--from", place]);
  expect(warned).toMatchObject({ code: 0, stdout: expect.stringContaining("it acts as the original") });
  expect(await readActivity(await start(other, ENV).ready)).toEqual(before);
  expect(receiver.of("/hook")).toHaveLength(1);

  const refused = await run(copy, ["restore", "--note", "a.md", "--as-copy", "--from", place]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("not for one note or task") });
}, 240_000);

test("damaged files are named, left out if asked for, and stored anew by the next backup", async () => {
  const dataDir = await makeDataDir();
  const place = join(dirname(dataDir), "backups");
  const env = { BACKUP_DIR: place };
  const service = start(dataDir, ENV);
  const url = await service.ready;
  await api(url, "/tasks", "POST", { title: "Water the plants" });
  await writeFile(join(dataDir, "vault/plan.txt"), Array.from({ length: 500_000 }, () => Math.random()).join("\n"));
  const { id } = await runJson(dataDir, ["backup"], env);
  const folder = join(place, "chunks");
  for (const name of await readdir(folder, { recursive: true })) {
    if ((await stat(join(folder, name))).size < 1_000_000) continue;
    const bytes = await readFile(join(folder, name));
    bytes[500] = (bytes[500] ?? 0) ^ 0xff;
    await writeFile(join(folder, name), bytes);
  }

  const elsewhere = join(dirname(dataDir), "elsewhere");
  expect(await runJson(elsewhere, ["restore"], env)).toMatchObject({
    code: 1,
    error: expect.stringMatching(/"plan\.txt".*verify.*--without-damaged/),
  });
  const { stdout } = await run(elsewhere, ["doctor"], { PORT: "0" });
  expect(stdout).toContain(`Repeat it: npx workspace restore ${id} --from ${place} --data-dir ${elsewhere}\n`);
  expect(await runJson(elsewhere, ["restore", "--without-damaged"], env)).toMatchObject({
    ok: false,
    code: 3,
    leftOut: ["plan.txt"],
  });
  const restored = await start(elsewhere, ENV).ready;
  expect((await api(restored, "/tasks")).body.data).toMatchObject([{ title: "Water the plants" }]);
  expect(await runJson(dataDir, ["backups"], env)).toMatchObject({ backups: [{ id, isDamaged: true }] });

  expect(await runJson(dataDir, ["backup"], env)).toMatchObject({ lostChunks: 1 });
  expect(await runJson(dataDir, ["verify", "--all"], env)).toMatchObject({ code: 0, isGood: true });
}, 240_000);
