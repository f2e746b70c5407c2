import { EventEmitter, once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { createBackupServices } from "../../backup-services.ts";
import { ConflictError, InvalidInputError, NotFoundError, PreconditionFailedError } from "../../platform/errors.ts";
import { BackupFailure, type BackupEngine, type BackupOutcome, type BackupPlace } from "./backup-engine.ts";
import { insertBackupRun } from "./backup.queries.ts";
import type { SetBackupSettings } from "./backup.schema.ts";

const NOW = "2026-11-26T12:00:00Z";
const USER_ID = "0190a000-0000-7000-8000-000000000001";
const CHOICES: SetBackupSettings = {
  isScheduled: true,
  place: "/backups",
  every: "day",
  dayTime: "03:00",
  weekday: 1,
  keepDaily: 7,
  keepWeekly: 4,
  keepMonthly: 12,
  isDrilled: true,
};
const OUTCOME: BackupOutcome = { backupId: "b1", rows: 5, files: 2, vaultBytes: 10, storedBytes: 20, message: null };

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

/** A server process whose engine does what a test says. */
async function startProcess({
  db = deps.db,
  refuses = null as string | null,
  vaultProblem = null as string | null,
  environment = { place: null, s3: null, passphrase: null },
} = {}) {
  const secrets = new Map<string, string>();
  const places: BackupPlace[] = [];
  const calls: string[] = [];
  let work: (signal: AbortSignal) => Promise<BackupOutcome> = () => Promise.resolve(OUTCOME);
  const run =
    (name: string) =>
    async (place: BackupPlace, ...rest: unknown[]) => {
      calls.push(name);
      places.push(place);
      return work(rest.find((argument) => argument instanceof AbortSignal) ?? new AbortController().signal);
    };
  const engine: BackupEngine = {
    check: async (place) => {
      places.push(place);
      if (refuses !== null) throw new BackupFailure(refuses);
    },
    backUp: run("backup"),
    verify: run("verify"),
    drill: run("drill"),
    list: async () => {
      const counts = { rows: 5, files: 2, vaultBytes: 10, disagreements: 0 };
      return [{ id: "b1", createdAt: NOW, version: "1.0.0", ...counts, isDamaged: calls.includes("verify") }];
    },
  };
  const processId = deps.ids();
  await deps.db.pool.query(
    "INSERT INTO server_processes (id, started_at, lease_expires_at, writer_id) VALUES ($1, now(), now() + interval '1 hour', $1)",
    [processId],
  );
  const services = createBackupServices({
    ...deps,
    db,
    backupEngine: engine,
    environmentBackup: environment,
    vaultMirror: { previewProblem: () => Promise.resolve(vaultProblem) },
    timeZone: "UTC",
    processes: { processId, onLost: () => undefined },
    secrets: {
      create: async ({ key, value }) => {
        secrets.set(key, value);
        return { id: deps.ids(), key, description: null, createdAt: NOW, updatedAt: NOW };
      },
      delete: async (key) => {
        if (!secrets.delete(key)) throw new NotFoundError("There is no such secret.");
        return { deleted: true };
      },
      useValue: async (key) => {
        const value = secrets.get(key);
        if (value === undefined) throw new NotFoundError("There is no such secret.");
        return value;
      },
    },
  });
  const perform = (next: typeof work) => void (work = next);
  /** Looks once for what is due. */
  async function look(): Promise<void> {
    await services.backups.look();
    await end(services.backups);
  }
  /** Looks at a time for what is due, of which this comes. */
  async function lookAt(time: string, outcome: Partial<BackupOutcome> | Error = {}): Promise<void> {
    deps.clock.set(time);
    perform(() => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve({ ...OUTCOME, ...outcome })));
    await look();
  }
  return { ...services, calls, places, secrets, processId, perform, look, lookAt };
}

const end = (backups: Awaited<ReturnType<typeof startProcess>>["backups"]) =>
  eventually(async () => (await backups.status()).running === null);

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

describe("the settings", () => {
  test("are stored with the passphrase as a secret, which is not shown", async () => {
    const { backupSettings, secrets, places } = await startProcess();
    const stored = await backupSettings.set({ ...CHOICES, passphrase: "correct horse" }, USER_ID);
    expect(stored).toMatchObject({ ...CHOICES, hasPassphrase: true, version: 1 });
    expect(JSON.stringify(stored)).not.toContain("horse");
    expect([...secrets.values()]).toEqual(["correct horse"]);
    expect(places).toEqual([{ place: "/backups", s3: null, passphrase: "correct horse" }]);
    await backupSettings.set({ ...CHOICES, keepDaily: 9 }, USER_ID);
    expect(await backupSettings.place()).toEqual({ place: "/backups", s3: null, passphrase: "correct horse" });
    await backupSettings.set({ ...CHOICES, passphrase: null }, USER_ID);
    expect(secrets.size).toBe(0);
    expect(await backupSettings.place()).toEqual({ place: "/backups", s3: null, passphrase: null });
  });

  test("are refused, with nothing stored, if no backup can be made there", async () => {
    const { backupSettings, secrets } = await startProcess({ refuses: "/backups is inside the vault." });
    await expect(backupSettings.set({ ...CHOICES, passphrase: "correct horse" }, USER_ID)).rejects.toThrow(
      "place: /backups is inside the vault.",
    );
    expect(await backupSettings.get()).toMatchObject({ version: 0, isScheduled: false });
    expect(secrets.size).toBe(0);
    await expect(backupSettings.set({ ...CHOICES, place: null }, USER_ID)).rejects.toThrow(InvalidInputError);
  });

  test("can be switched off for a place that is lost", async () => {
    const before = await startProcess();
    await before.backupSettings.set(CHOICES, USER_ID);
    const { set } = (await startProcess({ refuses: "The disk is not mounted." })).backupSettings;
    expect(await set({ ...CHOICES, isScheduled: false }, USER_ID)).toMatchObject({ isScheduled: false });
    await expect(set(CHOICES, USER_ID)).rejects.toThrow("The disk is not mounted.");
    await expect(set({ ...CHOICES, isScheduled: false, place: "/other" }, USER_ID)).rejects.toThrow("not mounted");
  });

  test("keep the secret key of a store, but send it to no other", async () => {
    const { backupSettings, secrets } = await startProcess();
    const s3 = { endpoint: "https://s3.example.org", region: "eu", accessKeyId: "id" };
    const inStore = { ...CHOICES, place: "s3://bucket/path" };
    const stored = await backupSettings.set({ ...inStore, s3: { ...s3, secretAccessKey: "hunter2" } }, USER_ID);
    expect(stored.s3).toEqual(s3);
    await backupSettings.set({ ...inStore, s3: { ...s3, region: "us" } }, USER_ID);
    expect((await backupSettings.place())?.s3).toEqual({ ...s3, region: "us", secretAccessKey: "hunter2" });
    const elsewhere = backupSettings.set({ ...inStore, s3: { ...s3, endpoint: "https://evil.example" } }, USER_ID);
    await expect(elsewhere).rejects.toThrow("s3.secretAccessKey: must be entered for this store");
    await backupSettings.set({ ...CHOICES, s3: null }, USER_ID);
    expect(secrets.size).toBe(0);
  });

  test("are not replaced by those who have not seen the last change", async () => {
    const { backupSettings } = await startProcess();
    await backupSettings.set(CHOICES, USER_ID);
    const late = backupSettings.set({ ...CHOICES, expectedVersion: 0 }, USER_ID);
    await expect(late).rejects.toThrow(PreconditionFailedError);
  });

  test("use what the environment says until something is chosen", async () => {
    const environment = { place: "/of/environment", s3: null, passphrase: "also its own" };
    const { backupSettings } = await startProcess({ environment: environment as never });
    await backupSettings.set({ ...CHOICES, place: null }, USER_ID);
    expect(await backupSettings.place()).toEqual(environment);
  });
});

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
