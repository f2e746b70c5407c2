import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, cp, mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createTestDatabase } from "@workspace/db/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { api, ENV, NOBODY, run, runAsNobody, runJson } from "./command-line.ts";
import { ADMIN } from "./credentials.ts";
import { connectRealtime } from "./realtime-client.ts";
import { makeDataDir, start } from "./service-process.ts";

const ROOT = join(import.meta.dirname, "../../..");

test(
  "a workspace is backed up while it runs, and restored elsewhere, where it starts",
  { timeout: 240_000 },
  async () => {
    const dataDir = await makeDataDir();
    const backups = join(dirname(dataDir), "backups");
    const env = { BACKUP_DIR: backups, BACKUP_PASSPHRASE: "correct horse" };
    const service = start(dataDir, ENV);
    const url = await service.ready;
    const { body } = await api(url, "/tasks", "POST", { title: "Water the plants", priority: 2 });
    await api(url, "/fs/write", "POST", { path: "plan.md", content: "# Plan" });

    const made = await runJson(dataDir, ["backup"], env);
    expect(made).toMatchObject({ ok: true, code: 0, dataDir, folder: backups, isEncrypted: true, hasKeys: true });
    expect(await runJson(dataDir, ["verify"], env)).toMatchObject({ ok: true, isGood: true });

    // One note and one task, while it runs.
    await api(url, `/tasks/${body.data.id}`, "DELETE");
    const page = await connectRealtime(url);
    expect(await runJson(dataDir, ["restore", "--task", body.data.id], env)).toMatchObject({
      title: "Water the plants",
    });
    expect((await api(url, `/tasks/${body.data.id}`)).status).toBe(200);
    const isRestored = ({ type, action }: { type: string; action?: string }) =>
      type === "resource_change" && action === "restore";
    expect(await page.waitFor(isRestored)).toMatchObject({ resource: "task", resourceId: body.data.id });
    await page.close();
    await rm(join(dataDir, "vault/plan.md"));
    expect(await runJson(dataDir, ["restore", "--note", "plan.md"], env)).toMatchObject({ isChanged: true });

    // Everything, elsewhere.
    const refused = await runJson(dataDir, ["restore"], env);
    expect(refused).toMatchObject({ ok: false, code: 1 });
    const elsewhere = join(dirname(dataDir), "elsewhere");
    expect(await runJson(elsewhere, ["restore"], env)).toMatchObject({ ok: true, dataDir: elsewhere, hasKeys: true });
    const again = await runJson(elsewhere, ["restore"], env);
    expect(again).toMatchObject({ ok: false, error: expect.stringContaining("There is data in") });
    const restored = await start(elsewhere, ENV).ready;
    expect((await api(restored, `/tasks/${body.data.id}`)).body.data).toMatchObject({ title: "Water the plants" });
    await vi.waitFor(
      async () =>
        expect((await api(restored, "/fs/read", "POST", { path: "plan.md" })).body.data).toMatchObject({
          content: "# Plan",
        }),
      { timeout: 20_000, interval: 200 },
    );

    // And while it is stopped.
    await service.stop();
    const stopped = await run(dataDir, ["backup"], env);
    expect(stopped).toMatchObject({ code: 0, stderr: expect.stringContaining("the service is stopped") });
    const replaced = await runJson(dataDir, ["restore", "--replace"], env);
    expect(replaced).toMatchObject({ ok: true });
    expect(replaced["movedTo"]).toContainEqual(expect.stringContaining("before-restore-"));
    expect(await runJson(dataDir, ["prune-backups", "--keep-daily", "1"], env)).toMatchObject({ ok: true });
  },
);

test("a workspace moves from the embedded database to another and back, and a day is restored beside it", async () => {
  const dataDir = await makeDataDir();
  const folder = dirname(dataDir);
  const env = { BACKUP_DIR: join(folder, "backups") };
  const title = "Water the plants";
  const service = start(dataDir, ENV);
  await api(await service.ready, "/tasks", "POST", { title });
  await runJson(dataDir, ["backup"], env);

  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  // As a restore finds it: there, and empty.
  await database.db.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await database.db.close();
  const external = { ...env, DATABASE_URL: database.url };
  const other = join(folder, "external");
  expect(await runJson(other, ["restore"], external)).toMatchObject({ ok: true });
  expect(await runJson(other, ["restore", "--replace"], external)).toMatchObject({
    ok: false,
    error: expect.stringContaining("holds a workspace"),
  });
  const url = await start(other, { ...ENV, DATABASE_URL: database.url }).ready;
  expect((await api(url, "/tasks")).body.data).toMatchObject([{ title }]);
  await api(url, "/tasks", "POST", { title: "Written there" });
  const { id } = await runJson(other, ["backup"], external);

  const back = join(folder, "back");
  expect(await runJson(back, ["restore", id], env)).toMatchObject({ ok: true, backupId: id });
  const returned = await start(back, ENV).ready;
  const titles = (await api(returned, "/tasks")).body.data.map((task: { title: string }) => task.title);
  expect(titles.toSorted()).toEqual([title, "Written there"]);

  const day = new Date().toISOString().slice(0, 10);
  const beside = await runJson(dataDir, ["restore", "--day", day], { ...env, TZ: "UTC" });
  expect(beside).toMatchObject({ ok: true, backupId: id, dataDir: `${dataDir}-${day}` });
  const missing = await runJson(dataDir, ["restore", "--day", "2020-01-31"], env);
  expect(missing).toMatchObject({ ok: false, error: expect.stringContaining("no backup of 2020-01-31") });
}, 600_000);

test("a forgotten password is reset, which signs out everywhere", { timeout: 120_000 }, async () => {
  const dataDir = await makeDataDir();
  const url = await start(dataDir, ENV).ready;
  const signIn = (password: string) =>
    fetch(`${url}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: url },
      body: JSON.stringify({ email: ADMIN.email, password }),
    });
  expect((await signIn(ADMIN.password)).status).toBe(200);
  expect(await runJson(dataDir, ["user", "sessions", ADMIN.email])).toMatchObject({ sessions: [{ isCurrent: false }] });
  const { password, endedSessions } = await runJson(dataDir, ["user", "reset-password", ADMIN.email.toUpperCase()]);
  expect(endedSessions).toBe(1);
  expect((await signIn(ADMIN.password)).status).toBe(401);
  expect((await signIn(password)).status).toBe(200);

  expect(await runJson(dataDir, ["user", "reset-sign-in", ADMIN.email])).toMatchObject({
    hadCodes: false,
    passkeys: 0,
    providers: 0,
    endedSessions: 1,
  });

  expect(await runJson(dataDir, ["user", "add", "grace@example.org"])).toMatchObject({ ok: true });
  expect(await runJson(dataDir, ["user", "add", "Grace@example.org"])).toMatchObject({ ok: false, code: 1 });
  const { users } = await runJson(dataDir, ["user", "list"]);
  expect(users).toMatchObject([{ email: ADMIN.email }, { email: "grace@example.org" }]);
  expect(await runJson(dataDir, ["doctor"])).toMatchObject({ ok: true, isGood: true });
});

test("what is old is removed, first only for a try, as the environment says", { timeout: 120_000 }, async () => {
  const dataDir = await makeDataDir();
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  await database.db.pool.query(
    `INSERT INTO hook_events (id, event_type, created_at)
     SELECT gen_random_uuid(), 'PreToolUse', now() - n * interval '10 days' FROM generate_series(1, 10) AS n`,
  );
  await mkdir(join(dataDir, "vault"), { recursive: true });
  const env = { DATABASE_URL: database.url, KEEP_HOOK_EVENTS_DAYS: "45" };
  const countRows = async () => (await database.db.pool.query("SELECT FROM hook_events")).rows.length;
  const { kinds } = await runJson(dataDir, ["prune", "--dry-run"], env);
  expect(kinds[0]).toMatchObject({ kind: "hookEvents", days: 45, rows: 10, oldRows: 6 });
  const told = await run(dataDir, ["prune", "--dry-run"], env);
  expect(told.stdout).toMatch(
    /^6 hook events, about .*B, would be removed \(kept for 45 days; the oldest that stays is of 2\d{3}-/,
  );
  expect(await countRows()).toBe(10);
  expect(await runJson(dataDir, ["prune"], env)).toMatchObject({
    code: 0,
    isComplete: true,
    removed: [{ kind: "hookEvents", rows: 6 }],
  });
  expect(await countRows()).toBe(4);
  const other = await run(dataDir, ["prune"], env);
  expect(other).toMatchObject({ code: 0, stdout: "Nothing is old enough to be removed.\n" });
  const refused = await run(dataDir, ["prune"], { ...env, KEEP_HOOK_EVENTS_DAYS: "7" });
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("KEEP_HOOK_EVENTS_DAYS: expected 31 to 36500 days, or forever"),
  });

  const holder = await database.db.pool.connect();
  await holder.query("SELECT pg_advisory_lock(1886549358)");
  expect(await run(dataDir, ["prune"], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("is being removed already"),
  });
  holder.release(true);
});

test.each([
  [["nonsense"], 2, 'there is no command "nonsense"'],
  [["user"], 2, "there are user list, user add, user reset-password, user reset-sign-in, user sessions"],
  [["user", "add"], 2, "EMAIL is missing"],
  [["user", "add", "grace"], 2, "is not an email address"],
  [["backup", "--where", "x"], 2, "Unknown option '--where'"],
  [["backup"], 2, "Say where the backups are"],
  [["prune-backups", "--from", "/tmp/x", "--keep-daily", "-1"], 2, "--keep-daily"],
  [["restore", "--note", "a", "--task", "b"], 2, "either --note or --task"],
  [["verify", "--from", "/nowhere"], 1, "There are no backups in /nowhere"],
  [["user", "list"], 1, "There is no workspace in"],
  [["verify", "--from", "/nowhere", "--passphrase-file", "/nope"], 1, "There is no /nope."],
  [["move-database", "--to", "postgres://nobody@127.0.0.1:1/x"], 1, "start it, or correct --to."],
  [["start", "--data-dir", "/tmp/x"], 2, "start takes no options: set DATA_DIR"],
])("%j is refused in a sentence", { timeout: 60_000 }, async (args, code, message) => {
  const dataDir = await makeDataDir();
  const ran = await run(dataDir, args);
  expect(ran).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) });
  expect(ran.stderr).not.toMatch(/^\s+at /m);
});

test("a data folder beside DATABASE_URL is refused, except for a restore", { timeout: 60_000 }, async () => {
  const dataDir = await makeDataDir();
  const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/x" };
  for (const args of [["move-database", "--to", "embedded"], ["rotate-secrets"], ["doctor"]]) {
    const { code, stderr } = await run("/nowhere", [...args, "--data-dir", dataDir], env);
    expect([args, code]).toEqual([args, 2]);
    expect(stderr).toContain(`DATABASE_URL is set. For that database, set DATA_DIR=${dataDir} instead`);
  }
  await expect(stat(dataDir)).rejects.toThrow("ENOENT");
  const restored = await run("/nowhere", ["restore", "--data-dir", dataDir, "--from", "/nope"], env);
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining("There are no backups in /nope") });
});

test("help names all commands, and the options of one", { timeout: 120_000 }, async () => {
  const dataDir = await makeDataDir();
  const { stdout } = await run(dataDir, ["help"]);
  expect(stdout).toMatch(/^Exit codes: .* 3 done, but .*\(backup, verify\).*\n.*\(restore --without-damaged\)\.$/m);
  for (const name of [
    "backup",
    "backups",
    "verify",
    "prune",
    "prune-backups",
    "restore",
    "user add",
    "doctor",
    "upgrade-database",
    "move-database",
  ]) {
    expect(stdout).toMatch(new RegExp(`^ {2}${name} `, "m"));
  }
  const one = await run(dataDir, ["user", "add", "--help"]);
  expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining("--password-stdin") });
});

test.each([
  [["help", "import"], "Usage: npx workspace import FILE"],
  [["help", "user", "add"], "Usage: npx workspace user add EMAIL"],
  [["help", "user"], "user reset-password EMAIL"],
  [["start", "--help"], "Usage: npx workspace start"],
  [["help", "start"], "Usage: npx workspace start"],
])("%j prints help", { timeout: 60_000 }, async (args, text) => {
  expect(await run(await makeDataDir(), args)).toMatchObject({ code: 0, stdout: expect.stringContaining(text) });
});

test(
  "in a checkout, options of start are explained, and secrets are rotated as JSON",
  { timeout: 120_000 },
  async () => {
    const dataDir = await makeDataDir();
    const database = await createTestDatabase();
    onTestFinished(() => database.close());
    // As a checkout, but with everything built.
    const checkout = join(dirname(dataDir), "checkout");
    await mkdir(join(checkout, "scripts"), { recursive: true });
    for (const name of ["start.mjs", "workspace.mjs", "require-node.cjs"])
      await cp(join(ROOT, "scripts", name), join(checkout, "scripts", name));
    await writeFile(join(checkout, "scripts/prepare.mjs"), "export function prepare() {}");
    for (const name of ["package.json", "packages"]) await symlink(join(ROOT, name), join(checkout, name));
    const runThere = async (args: readonly string[]) => {
      const env = { PATH: process.env["PATH"], DATA_DIR: dataDir, DATABASE_URL: database.url, PORT: "0" };
      return promisify(execFile)(process.execPath, [join(checkout, "scripts/workspace.mjs"), ...args], { env });
    };
    expect((await runThere(["start", "--help"])).stdout).toContain("Usage: npx workspace start");
    expect(JSON.parse((await runThere(["rotate-secrets", "--json"])).stdout)).toMatchObject({ ok: true, rotated: 0 });
  },
);

test("missing rights are told apart from a missing workspace", { timeout: 60_000 }, async () => {
  const dataDir = await makeDataDir();
  await mkdir(join(dataDir, "postgres"), { recursive: true });
  await chmod(dirname(dataDir), 0o755);
  await chmod(dataDir, 0);
  onTestFinished(() => chmod(dataDir, 0o700));
  const backups = join(dirname(dataDir), "backups");
  for (const args of [["user", "list"], ["backup", "--to", backups], ["doctor"]]) {
    const { code, stdout, stderr } = await runAsNobody(dataDir, args);
    expect([args, code]).not.toEqual([args, 0]);
    expect(stdout + stderr).toContain(`may not use ${dataDir}. Run it as the user of the service`);
    expect(stdout + stderr).not.toContain("There is no workspace");
  }
});

test("a restore to be repeated is named with the place that was given", { timeout: 60_000 }, async () => {
  const dataDir = await makeDataDir();
  await mkdir(dataDir);
  const marker = { backupId: "x", vaultRoot: join(dataDir, "vault"), databaseUrl: null, phase: "writing", stamp: "x" };
  await writeFile(join(dataDir, "restore-in-progress.json"), JSON.stringify(marker));
  for (const args of [["user", "list"], ["doctor"]]) {
    const { stdout, stderr } = await run("/nowhere", [...args, "--data-dir", dataDir]);
    expect(stdout + stderr).toContain(`npx workspace restore x --from FOLDER --data-dir ${dataDir}`);
  }
  const external = {
    ...marker,
    vaultRoot: "/my vault",
    databaseUrl: "postgres://h/x",
    repeatOptions: "--from /b --as-copy",
  };
  await writeFile(join(dataDir, "restore-in-progress.json"), JSON.stringify(external));
  const { stderr } = await run(dataDir, ["user", "list"]);
  expect(stderr).toContain(`DATA_DIR=${dataDir} VAULT_PATH='/my vault' npx workspace restore x --from /b --as-copy\n`);
});

test("a user is found by an address that could not be given today", { timeout: 60_000 }, async () => {
  const dataDir = await makeDataDir();
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const env = { DATABASE_URL: database.url };
  expect(await run(dataDir, ["user", "sessions", "nobody@x.y"], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("There is no user with the email nobody@x.y"),
  });
});

test("a note that root restores belongs to the owner of the vault", { timeout: 60_000 }, async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("only root can give files away");
  const dataDir = await makeDataDir();
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const env = { DATABASE_URL: database.url, BACKUP_DIR: join(dirname(dataDir), "backups") };
  const vault = join(dataDir, "vault");
  await mkdir(join(vault, "plans/next"), { recursive: true });
  await writeFile(join(vault, "plans/next/plan.md"), "# Plan");
  expect(await run(dataDir, ["backup"], env)).toMatchObject({ code: 0 });
  await rm(join(vault, "plans"), { recursive: true });
  await chown(vault, NOBODY, NOBODY);
  expect(await run(dataDir, ["restore", "--note", "plans/next/plan.md"], env)).toMatchObject({ code: 0 });
  for (const path of ["plans", "plans/next", "plans/next/plan.md"])
    expect([path, await stat(join(vault, path))]).toMatchObject([path, { uid: NOBODY, gid: NOBODY }]);
});

test("a disk that is full is named, whatever fails on it", { timeout: 240_000 }, async ({ skip }) => {
  const dataDir = await makeDataDir();
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const env = { DATABASE_URL: database.url };
  await mkdir(join(dataDir, "vault"), { recursive: true });
  await writeFile(join(dataDir, "vault/large.bin"), randomBytes(2_000_000));
  const backups = join(dirname(dataDir), "backups");
  const unmakeable = await run(dataDir, ["backup", "--to", "/proc/nope"], env);
  expect(unmakeable.stderr).toContain("The folder /proc/nope cannot be created.");
  expect(await run(dataDir, ["backup", "--to", backups], env)).toMatchObject({ code: 0 });
  const disk = join(dirname(dataDir), "disk");
  await mkdir(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=300k,mode=700", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    skip("mounting needs root");
  }
  onTestFinished(() => void execFileSync("umount", [disk]));
  const expected = { code: 1, stderr: expect.stringContaining(`The disk is full: that of ${disk}`) };
  expect(await run(dataDir, ["backup", "--to", disk], env)).toMatchObject(expected);
  for (const name of await readdir(disk)) await rm(join(disk, name), { recursive: true });
  const restored = await run(join(disk, "data"), ["restore", "--from", backups]);
  expect(restored).toMatchObject(expected);
  expect(restored.stderr).not.toContain("could not start");
});
