import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BACKUP_CHOICES } from "./backup-choices.ts";
import { startTestServer, type Request, type TestServer } from "./test-server.ts";

const PATIENCE = { timeout: 200_000, interval: 200 };

let folder: string;
let place: string;
let server: TestServer;
let api: Request;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workspace-backups-"));
  place = join(folder, "backups");
  server = await startTestServer();
  api = await server.signIn();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const status = async (): Promise<any> => (await api("GET", "/api/backups/status")).body.data;
const ended = () => expect.poll(async () => (await status()).running, PATIENCE).toBeNull();
const choose = (choices: object) =>
  api("PUT", "/api/settings/backups", { body: { ...BACKUP_CHOICES, every: "day", ...choices } });

/** The nice values of the processes that the server has started for backups. */
async function prioritiesOfWorkers(): Promise<number[]> {
  const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
  const pids = children.trim().split(" ").map(Number);
  const programs = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return pids.filter((_, index) => programs[index]?.includes("backup-worker") === true).map((pid) => getPriority(pid));
}

test("without a place nothing is backed up, and a place that cannot be used is refused", async () => {
  expect(await api("POST", "/api/backups")).toMatchObject({ status: 409 });
  expect(await api("GET", "/api/backups")).toMatchObject({ status: 409 });
  expect(await choose({ place: null })).toMatchObject({ status: 400 });
  const relative = await choose({ place: "backups" });
  expect(relative).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining("absolute path") },
  });
  await writeFile(join(folder, "something"), "else");
  const used = await choose({ place: folder });
  expect(used.body.message).toContain("neither empty nor a folder of backups");
  const impossible = await choose({ place: "/proc/backups" });
  expect(impossible).toMatchObject({ status: 400, body: { message: expect.stringContaining("does not exist") } });
  expect((await api("GET", "/api/settings/backups")).body.data).toMatchObject({ isScheduled: false, version: 0 });
}, 300_000);

test("a backup is made, listed, read back and restored for a try, beside the service", async () => {
  await api("POST", "/api/tasks", { body: { title: "Water the plants" } });
  const stored = await choose({ place, passphrase: "correct horse" });
  expect(stored).toMatchObject({ status: 200, body: { data: { place, hasPassphrase: true } } });
  expect((await status()).nextBackupAt).toMatch(/T03:00:00/);

  expect(await api("POST", "/api/backups")).toMatchObject({ status: 200, body: { data: { status: "running" } } });
  expect(await api("POST", "/api/backups/drill")).toMatchObject({ status: 409 });
  await ended();
  const { lastBackup } = await status();
  expect(lastBackup).toMatchObject({ kind: "backup", status: "done", isScheduled: false });
  expect(lastBackup.rows).toBeGreaterThan(0);
  expect(lastBackup.storedBytes).toBeGreaterThan(0);
  const { data } = (await api("GET", "/api/backups")).body;
  expect(data).toMatchObject([{ id: lastBackup.backupId, rows: lastBackup.rows, isDamaged: false }]);

  expect(await api("POST", `/api/backups/${data[0].id}/verify`)).toMatchObject({ status: 200 });
  await ended();
  expect((await status()).lastVerify).toMatchObject({ status: "done", backupId: data[0].id, rows: lastBackup.rows });
  expect(await api("POST", "/api/backups/20200101T000000Z-00000000/verify")).toMatchObject({ status: 404 });

  expect(await api("POST", "/api/backups/drill")).toMatchObject({ status: 200 });
  await ended();
  expect((await status()).lastDrill).toMatchObject({ status: "done", message: null, rows: lastBackup.rows });
  const { data: runs } = (await api("GET", "/api/backups/runs")).body;
  expect(runs.map(({ kind }: { kind: string }) => kind)).toEqual(["drill", "verify", "backup"]);
}, 600_000);

test("one of the same hour that is replaced is named, and those of earlier hours are kept", async () => {
  const { backupId: first } = (await status()).lastBackup;
  const manifests = join(place, "backups");
  expect(await readdir(manifests)).toHaveLength(1);
  await api("POST", "/api/backups");
  await ended();
  const { backupId, message } = (await status()).lastBackup;
  const isSameHour = backupId.slice(0, 11) === first.slice(0, 11);
  expect(message).toEqual(isSameHour ? `It has replaced the backup ${first} of the same hour.` : null);
  expect(await readdir(manifests)).toHaveLength(isSameHour ? 1 : 2);
}, 300_000);

test("a backup is made although old ones cannot be removed, which it says", async () => {
  const unreadable = join(place, "backups", "20200101T000000Z-00000000.manifest");
  await writeFile(unreadable, "damaged");
  await api("POST", "/api/backups");
  await ended();
  const { body } = await api("GET", "/api/backups/runs?limit=1");
  expect(body.data).toMatchObject([
    {
      status: "done",
      message: expect.stringMatching(/^The backup is stored, .* 20200101T000000Z-00000000 cannot be read/),
    },
  ]);
  expect((await status()).problem).toBeNull();
  await rm(unreadable);
}, 300_000);

test.runIf(process.platform === "linux")(
  "a backup leaves processors to requests",
  async () => {
    expect(await api("POST", "/api/backups")).toMatchObject({ status: 200 });
    await expect.poll(prioritiesOfWorkers, { ...PATIENCE, interval: 10 }).toEqual([19]);
    await ended();
  },
  300_000,
);

test("a failure is told until the next success", async () => {
  const chunks = join(place, "chunks");
  const names = (await readdir(chunks, { recursive: true })).filter((name) => name.includes("/"));
  for (const name of names) await writeFile(join(chunks, name), "damaged");
  const { backupId } = (await status()).lastBackup;
  await api("POST", `/api/backups/${backupId}/verify`);
  await ended();
  expect(await status()).toMatchObject({ problem: { kind: "backup damaged", run: { backupId } } });
  const { data } = (await api("GET", "/api/backups")).body;
  expect(data.map(({ isDamaged }: { isDamaged: boolean }) => isDamaged)).not.toContain(false);
  const { body } = await api("GET", "/api/news");
  expect(body.data.backupProblem).toMatchObject({
    kind: "backup damaged",
    message: expect.stringContaining("problem"),
  });
  const health = (await server.anonymous("GET", "/api/health")).body.data;
  expect(health).toMatchObject({ status: "degraded", backups: { problem: "backup damaged" } });
}, 300_000);

test("what is being done when the server ends is cancelled, and its process ends too", async () => {
  const other = await startTestServer({ DATABASE_URL: server.databaseUrl });
  const otherApi = await other.signIn();
  // A long one, which stores everything anew.
  for (const name of ["backups", "chunks"]) await rm(join(place, name), { recursive: true });
  expect(await otherApi("POST", "/api/backups")).toMatchObject({ status: 200 });
  await other.close();
  await ended();
  const { data: runs } = (await api("GET", "/api/backups/runs?limit=1")).body;
  expect(["cancelled", "done"]).toContain(runs[0].status);
}, 300_000);
