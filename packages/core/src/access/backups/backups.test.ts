import { EventEmitter, once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { CHOICES, end, NOW, OUTCOME, startBackupProcess, USER_ID } from "../../../testing/test-backups.ts";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import { BackupFailure } from "./backup-engine.ts";
import { insertBackupRun } from "./backup.queries.ts";

let database: TestDatabase;
let deps: TestDeps;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.pool.query("TRUNCATE settings, backup_runs, server_processes");
  deps = createTestDeps(database.db, NOW);
});

const startProcess = (options?: Parameters<typeof startBackupProcess>[1]) => startBackupProcess(deps, options);

/** A database whose first answer that the end of work is recorded arrives when this is emitted. */
function withLateAnswer(db: TestDeps["db"], arrival: EventEmitter): TestDeps["db"] {
  let isLate = true;
  const query = async (statement: string | { readonly text: string }, values?: unknown[]): Promise<unknown> => {
    const result = await db.pool.query(statement, values);
    const text = typeof statement === "string" ? statement : statement.text;
    if (isLate && text.includes("UPDATE backup_runs SET status = $2")) {
      isLate = false;
      await once(arrival, "answer");
    }
    return result;
  };
  const pool: typeof db.pool = Object.create(db.pool, { query: { value: query } });
  return { ...db, pool };
}

describe("the schedule", () => {
  test("makes a backup once it is due, in one of several processes, and a drill after the first", async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    await one.backupSettings.set(CHOICES, USER_ID);
    await one.look();
    expect(one.calls).toEqual([]);
    deps.clock.set("2026-11-27T03:00:00Z");
    await Promise.all([one.look(), other.look()]);
    expect([...one.calls, ...other.calls].filter((name) => name === "backup")).toEqual(["backup"]);
    await one.look();
    await one.look();
    expect([...one.calls, ...other.calls].toSorted()).toEqual(["backup", "drill"]);
    const { lastBackup, lastDrill, nextBackupAt, nextDrillAt, problem } = await one.backups.status();
    expect(lastBackup).toMatchObject({ status: "done", isScheduled: true, rows: 5, storedBytes: 20, backupId: "b1" });
    expect(lastDrill).toMatchObject({ status: "done" });
    expect([nextBackupAt, nextDrillAt, problem]).toEqual([
      "2026-11-28T03:00:00.000Z",
      "2026-12-27T03:00:00.000Z",
      null,
    ]);
  });

  test("makes up for what was missed while the server was off", async () => {
    const { backupSettings, look, calls } = await startProcess();
    await backupSettings.set({ ...CHOICES, isDrilled: false }, USER_ID);
    deps.clock.set("2026-12-01T17:00:00Z");
    await look();
    await look();
    expect(calls).toEqual(["backup"]);
  });

  test("goes on at the true time after a clock was ahead", async () => {
    const { backupSettings, backups, lookAt, calls } = await startProcess();
    deps.clock.set("2029-08-24T12:00:00Z");
    await backupSettings.set({ ...CHOICES, isDrilled: false }, USER_ID);
    await lookAt("2029-08-25T03:00:00Z");
    await lookAt("2026-11-27T03:00:00Z", new BackupFailure("The disk is full."));
    await lookAt("2026-11-27T04:00:00Z");
    expect(calls).toEqual(["backup", "backup", "backup"]);
    expect((await backups.status()).lastBackup).toMatchObject({ startedAt: "2026-11-27T04:00:00.000Z" });
  });

  test("reports a failure until the next success, and tries again after an hour", async () => {
    const { backupSettings, backups, lookAt, calls } = await startProcess();
    await backupSettings.set({ ...CHOICES, isDrilled: false }, USER_ID);
    await lookAt("2026-11-27T03:00:00Z", new BackupFailure("The disk is full."));
    await lookAt("2026-11-27T03:59:00Z");
    expect(calls).toHaveLength(1);
    expect(await backups.findProblem()).toMatchObject({ kind: "backup failed", run: { message: "The disk is full." } });
    await lookAt("2026-11-27T04:00:00Z");
    expect(calls).toHaveLength(2);
    expect(await backups.findProblem()).toBeNull();
  });

  test("reports a backup that lacks much until the next success, but does not repeat it before it is due", async () => {
    const { backupSettings, backups, lookAt, calls } = await startProcess();
    await backupSettings.set({ ...CHOICES, isDrilled: false }, USER_ID);
    const message = "It lacks 2 of 10 files.";
    await lookAt("2026-11-27T03:00:00Z", { message, isIncomplete: true });
    await lookAt("2026-11-27T12:00:00Z");
    expect(calls).toHaveLength(1);
    const run = { backupId: "b1", rows: 5, message };
    expect(await backups.findProblem()).toMatchObject({ kind: "backup failed", run });
    await lookAt("2026-11-28T03:00:00Z");
    expect(calls).toHaveLength(2);
    expect(await backups.findProblem()).toBeNull();
  });

  test("reports backups that stay damaged, and reads the newest back once a backup has mended them", async () => {
    const { backupSettings, backups, look, lookAt, calls } = await startProcess();
    await backupSettings.set({ ...CHOICES, isDrilled: false }, USER_ID);
    await lookAt("2026-11-27T03:00:00Z", { damagedIds: ["b7", "b8"] });
    await look();
    expect(calls).toEqual(["backup"]);
    expect(await backups.findProblem()).toMatchObject({
      kind: "backup damaged",
      run: { backupId: "b8", message: expect.stringContaining("b7, b8") },
    });
    await lookAt("2026-11-28T03:00:00Z", { damagedIds: [] });
    expect(await backups.findProblem()).toMatchObject({ kind: "backup damaged" });
    await look();
    await look();
    expect(calls).toEqual(["backup", "backup", "verify"]);
    expect(await backups.findProblem()).toBeNull();
  });

  test("reports backups that stay damaged for a day, and again only if there are more", async () => {
    const { backupSettings, backups, look, lookAt, calls } = await startProcess();
    await backupSettings.set({ ...CHOICES, every: "hour", isDrilled: false }, USER_ID);
    const findProblemAt = async (time: string, damagedIds: readonly string[]) => {
      await lookAt(time, { damagedIds });
      await look();
      return backups.findProblem();
    };
    await findProblemAt("2026-11-27T03:00:00Z", ["b7", "b8"]);
    expect(await findProblemAt("2026-11-27T04:00:00Z", ["b7", "b8"])).toMatchObject({ kind: "backup damaged" });
    expect(await findProblemAt("2026-11-28T03:00:00Z", ["b8"])).toBeNull();
    expect(calls).toEqual(["backup", "backup", "backup", "verify"]);
    expect(await findProblemAt("2026-11-28T04:00:00Z", ["b8"])).toBeNull();
    const more = await findProblemAt("2026-11-28T05:00:00Z", ["b8", "b9"]);
    expect(more).toMatchObject({ kind: "backup damaged", run: { backupId: "b9" } });
  });

  test("does not tell of an unexpected error what only the log may have", async () => {
    const { backupSettings, backups, lookAt } = await startProcess();
    await backupSettings.set(CHOICES, USER_ID);
    await lookAt("2026-11-27T03:00:00Z", new Error("password=hunter2"));
    expect((await backups.findProblem())?.run.message).toContain("Something unexpected");
  });
});

describe("what is asked for", () => {
  test("is not begun while the vault is missing, and recorded as failed", async () => {
    const { backups, backupSettings, calls } = await startProcess({ vaultProblem: "Its disk is not mounted." });
    await backupSettings.set(CHOICES, USER_ID);
    expect(await backups.start()).toMatchObject({ status: "running" });
    await end(backups);
    const message = "Nothing was backed up, because the vault is missing. Its disk is not mounted.";
    expect(await backups.findProblem()).toMatchObject({ kind: "backup failed", run: { message } });
    expect(calls).toEqual([]);
  });

  test("is done one at a time, over all processes", async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    await one.backupSettings.set({ ...CHOICES, isScheduled: false }, USER_ID);
    let finish = (): void => {};
    one.perform(() => new Promise((resolve) => (finish = () => resolve(OUTCOME))));
    const run = await one.backups.start();
    expect(run).toMatchObject({ kind: "backup", status: "running", isScheduled: false });
    await expect(other.backups.start()).rejects.toThrow(ConflictError);
    await expect(one.backups.drill()).rejects.toThrow(ConflictError);
    await eventually(() => one.calls.length === 1);
    finish();
    await end(one.backups);
    expect(await other.backups.verify("b1")).toMatchObject({ backupId: "b1" });
    await end(one.backups);
    await expect(other.backups.verify("b2")).rejects.toThrow(NotFoundError);
    expect((await one.backups.runs({ limit: 1 })).items).toMatchObject([{ kind: "verify", status: "done" }]);
  });

  test("is reflected in the list at once", async () => {
    const { backupSettings, backups, perform } = await startProcess();
    await backupSettings.set({ ...CHOICES, isScheduled: false }, USER_ID);
    expect(await backups.list()).toMatchObject([{ id: "b1", isDamaged: false }]);
    perform(() => Promise.reject(new BackupFailure("It is damaged.")));
    await backups.verify("b1");
    await end(backups);
    expect(await backups.list()).toMatchObject([{ id: "b1", isDamaged: true }]);
  });

  test("is begun as soon as others see that what was before it is done", async () => {
    const arrival = new EventEmitter();
    const { backupSettings, backups } = await startProcess({ db: withLateAnswer(deps.db, arrival) });
    const other = await startProcess();
    await backupSettings.set({ ...CHOICES, isScheduled: false }, USER_ID);
    await backups.start();
    await end(other.backups);
    const begun = backups.verify("b1");
    // Long enough to be refused.
    await Promise.race([begun.catch(() => undefined), setTimeout(100)]);
    arrival.emit("answer");
    expect(await begun).toMatchObject({ kind: "verify" });
    await end(backups);
  });

  test("needs a place", async () => {
    const { backups } = await startProcess();
    await expect(backups.start()).rejects.toThrow("Choose in the settings where backups are stored.");
    await expect(backups.list()).rejects.toThrow(ConflictError);
  });

  test("is cancelled when the server ends, which is no failure", async () => {
    const { backupSettings, backups, perform } = await startProcess();
    await backupSettings.set(CHOICES, USER_ID);
    perform(async (signal) => {
      signal.throwIfAborted();
      await once(signal, "abort");
      throw new Error("ended");
    });
    await backups.start();
    await backups.startSchedule().close();
    expect((await backups.runs({})).items).toMatchObject([{ status: "cancelled" }]);
    expect(await backups.findProblem()).toBeNull();
  });

  test("of a process that was killed is ended by the others", async () => {
    const { look, backups, backupSettings } = await startProcess();
    await backupSettings.set(CHOICES, USER_ID);
    const dead = { id: deps.ids(), kind: "backup", isScheduled: true, processId: deps.ids(), backupId: null } as const;
    await insertBackupRun(deps.db.pool, { ...dead, startedAt: new Date(NOW), unlessSince: null });
    await look();
    expect((await backups.runs({})).items).toMatchObject([{ status: "cancelled" }]);
  });
});
