import { execFileSync } from "node:child_process";
import { chmod, chown, cp, mkdir, readdir, rename } from "node:fs/promises";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { BACKUP_CHOICES } from "./backup-choices.ts";
import { api, ENV, NOBODY, run, runAsNobody, runJson } from "./command-line.ts";
import { makeDataDir, start } from "./service-process.ts";

interface Finding {
  readonly subject: string;
  readonly state: string;
  readonly message: string;
  readonly remedy?: string;
}

/** A workspace that has run once, or runs, on a database of the shared server. */
async function prepare() {
  const dataDir = await makeDataDir();
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const env = { ...ENV, DATABASE_URL: database.url };
  const service = start(dataDir, env);
  const url = await service.ready;
  const examine = async (more: Record<string, string> = {}) => {
    const { code, isGood, findings } = await runJson(dataDir, ["doctor"], { PORT: "0", ...env, ...more });
    return { code, isGood, findings: findings as Finding[] };
  };
  return { dataDir, database, url, examine, stop: service.stop };
}

const about = ({ findings }: { readonly findings: readonly Finding[] }, subject: string) =>
  findings.find((finding) => finding.subject.startsWith(subject));

test(
  "the doctor refuses the vaults that the service refuses, whether that runs or not",
  { timeout: 120_000 },
  async () => {
    const { dataDir, url, examine, stop } = await prepare();
    await api(url, "/fs/write", "POST", { path: "plan.md", content: "# Plan" });
    const isReady = async () => (await fetch(`${url}/readyz`)).status;
    await vi.waitFor(async () => expect(await isReady()).toBe(200), { timeout: 20_000, interval: 200 });
    const good = await examine();
    expect([good.code, about(good, "vault")]).toMatchObject([0, { state: "good" }]);

    await rename(join(dataDir, "vault"), join(dirname(dataDir), "away"));
    await mkdir(join(dataDir, "vault"));
    await vi.waitFor(async () => expect(await isReady()).toBe(503), { timeout: 20_000, interval: 200 });
    const served = await examine();
    const emptied = {
      state: "bad",
      message: expect.stringContaining("The service does not use it"),
      remedy: expect.stringContaining("VAULT_PATH"),
    };
    expect([served.code, about(served, "vault")]).toMatchObject([3, emptied]);
    await stop();
    expect(about(await examine(), "vault")).toMatchObject({ state: "bad" });
    expect(await readdir(join(dataDir, "vault"))).toEqual([]);
    await cp(join(dirname(dataDir), "away/.workspace"), join(dataDir, "vault/.workspace"), { recursive: true });
    expect(about(await examine(), "vault")).toMatchObject({
      state: "bad",
      message: expect.stringMatching(/deleted on purpose.* POST \/api\/documents\/mirror\/accept/),
    });
  },
);

test("the doctor judges backups as the service does, by the settings", { timeout: 120_000 }, async () => {
  const { dataDir, database, url, examine } = await prepare();
  const place = join(dirname(dataDir), "backups");
  expect(about(await examine(), "backups")).toMatchObject({
    state: "warning",
    remedy: expect.stringContaining("Settings, Backups"),
  });
  const settings = { ...BACKUP_CHOICES, place, passphraseKey: null, s3: null, version: 1 };
  await database.db.pool.query("INSERT INTO settings (key, value, updated_at) VALUES ('backup', $1, now())", [
    settings,
  ]);
  const insert = `INSERT INTO backup_runs (id, kind, status, is_scheduled, process_id, message, started_at)
    VALUES (gen_random_uuid(), $1, $2, true, gen_random_uuid(), $3, now())`;
  await database.db.pool.query(insert, ["backup", "done", null]);
  expect(about(await examine(), "backups")).toMatchObject({ state: "good", message: expect.stringContaining(place) });
  const setPlace = (path: string) =>
    database.db.pool.query("UPDATE settings SET value = value || $1 WHERE key = 'backup'", [{ place: path }]);
  const last = { backupId: "20261124T120000Z-00000000", place };
  await database.db.pool.query("INSERT INTO settings (key, value, updated_at) VALUES ('backup.place.x', $1, now())", [
    last,
  ]);
  expect(about(await examine(), "backups")).toMatchObject({
    state: "bad",
    message: expect.stringContaining("no longer has the backups that were made there"),
  });
  await setPlace(join(dataDir, "backups"));
  expect(about(await examine(), "backups")).toMatchObject({
    state: "warning",
    message: expect.stringContaining("inside the data folder"),
    remedy: expect.stringContaining("another disk"),
  });
  await setPlace(join(dataDir, "vault/backups"));
  expect(about(await examine(), "backups")).toMatchObject({
    state: "bad",
    message: expect.stringContaining("inside the vault"),
  });
  await setPlace(place);
  await database.db.pool.query(insert, ["verify", "failed", "A chunk is damaged."]);
  const health = await (await fetch(`${url}/api/health`)).json();
  expect(health).toMatchObject({ data: { backups: { problem: "backup damaged" } } });
  const damaged = await examine();
  expect([damaged.code, about(damaged, "backups")]).toMatchObject([
    3,
    {
      state: "bad",
      message: expect.stringMatching(/^backup damaged .*A chunk is damaged\.$/),
      // A command mends nothing that the service has recorded.
      remedy: expect.stringMatching(/^Make a new backup in Settings, Backups(?!.*npx)/),
    },
  ]);
});

test("the doctor finds a port that is taken, and a clock that is behind", { timeout: 120_000 }, async () => {
  const { database, url, examine, stop } = await prepare();
  await api(url, "/tasks", "POST", { title: "Water the plants" });
  expect(about(await examine({ PORT: new URL(url).port }), "port")).toBeUndefined();
  expect(about(await examine({ BAKUP_DIR: "/backups" }), "BAKUP_DIR")).toMatchObject({
    state: "warning",
    remedy: "If BACKUP_DIR was meant, correct its name.",
  });
  await stop();
  const other = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  const address = other.address();
  const PORT = String(address !== null && typeof address === "object" ? address.port : 0);
  const taken = await examine({ PORT });
  expect([taken.code, about(taken, "port")]).toMatchObject([
    3,
    { state: "bad", message: `Cannot listen on 127.0.0.1:${PORT}.`, remedy: expect.stringContaining("Set PORT") },
  ]);
  expect(about(taken, "clock")).toMatchObject({ state: "good" });
  await database.db.pool.query("UPDATE change_events SET created_at = now() + interval '3 days'");
  const late = await examine();
  expect([late.code, about(late, "port"), about(late, "clock")]).toMatchObject([
    3,
    { state: "good" },
    { state: "bad", remedy: expect.stringContaining("Set the clock") },
  ]);
});

test("the doctor finds a data folder that cannot be written, and leaves no trace in one that can", async () => {
  const dataDir = await makeDataDir();
  await mkdir(dataDir);
  const examine = () => runAsNobody(dataDir, ["doctor", "--json"], { PORT: "0" });
  // Root may write everywhere.
  if (process.getuid?.() === 0) for (const folder of [dirname(dataDir), dataDir]) await chown(folder, NOBODY, NOBODY);
  const { findings: good } = JSON.parse((await examine()).stdout);
  expect(about({ findings: good }, "data folder")).toMatchObject({ state: "good" });
  expect(await readdir(dataDir)).toEqual([]);
  await chmod(dataDir, 0o500);
  const { findings } = JSON.parse((await examine()).stdout);
  expect(about({ findings }, "data folder")).toMatchObject({
    state: "bad",
    message: "cannot be written (EACCES)",
    remedy: expect.stringContaining("access"),
  });
  await chmod(dataDir, 0o700);
}, 60_000);

test("the doctor wants a vault on a disk that is read-only mounted with write access", async ({ skip }) => {
  const dataDir = await makeDataDir();
  const vault = join(dataDir, "vault");
  await mkdir(vault, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "ro,size=64k", "tmpfs", vault], { stdio: "ignore" });
  } catch {
    skip("mounting needs root");
  }
  onTestFinished(() => void execFileSync("umount", [vault]));
  const { findings } = await runJson(dataDir, ["doctor"], { PORT: "0" });
  expect(about({ findings }, "vault")).toMatchObject({
    state: "bad",
    message: "is on a disk that is read-only (EROFS)",
    remedy: expect.stringMatching(/^Mount its disk with write access/),
  });
}, 60_000);

test("nothing is removed for its age by a clock that has jumped, until that is accepted or has run for a day", async () => {
  const { dataDir, database, url, examine, stop } = await prepare();
  await fetch(`${url}/livez`);
  const { pool } = database.db;
  const readClock = async () =>
    (await pool.query("SELECT value FROM settings WHERE key = 'retention.clock'")).rows[0]?.value;
  await vi.waitFor(async () => expect(await readClock()).toMatchObject({ trial: null }), { timeout: 10_000 });
  await stop();
  // The same as if the clock were now a hundred days ahead.
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const setClock = (value: object) =>
    pool.query("UPDATE settings SET value = $1 WHERE key = 'retention.clock'", [value]);
  await pool.query("UPDATE settings SET value = $1 WHERE key = 'retention.since'", [{ at: ago(100) }]);
  await setClock({ seenAt: ago(100), trial: null });
  const addOld = () =>
    pool.query("INSERT INTO hook_events (id, event_type, created_at) VALUES (gen_random_uuid(), 'PreToolUse', $1)", [
      ago(90),
    ]);
  const countOld = async () => (await pool.query("SELECT FROM hook_events")).rows.length;
  await addOld();
  const env = { ...ENV, DATABASE_URL: database.url, KEEP_HOOK_EVENTS_DAYS: "45" };

  const jumped = start(dataDir, env);
  await jumped.ready;
  await vi.waitFor(() => expect(jumped.output()).toContain("npx workspace prune --accept-clock"), { timeout: 10_000 });
  expect(about(await examine(), "clock")).toMatchObject({
    state: "warning",
    remedy: expect.stringContaining("npx workspace prune --accept-clock"),
  });
  expect(await run(dataDir, ["prune"], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("last seen running"),
  });
  const tried = await run(dataDir, ["prune", "--dry-run"], env);
  expect(tried).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^Without --dry-run, this refuses: .* last seen /),
  });
  const accepted = await run(dataDir, ["prune", "--dry-run", "--accept-clock"], env);
  expect(accepted).toMatchObject({ code: 0, stdout: expect.not.stringContaining("refuses") });
  expect(await countOld()).toBe(1);
  await jumped.stop();

  const lookedAt = new Date(Date.now() - 5 * 60_000).toISOString();
  await setClock({ seenAt: ago(100), trial: { lookedAt, ranMs: 86_400_000 - 60_000 } });
  const believed = start(dataDir, env);
  await believed.ready;
  await vi.waitFor(async () => expect(await countOld()).toBe(0), { timeout: 10_000, interval: 200 });
  await believed.stop();

  await addOld();
  await setClock({ seenAt: ago(100), trial: null });
  expect(await runJson(dataDir, ["prune", "--accept-clock"], env)).toMatchObject({ ok: true });
  expect(await countOld()).toBe(0);
}, 120_000);
