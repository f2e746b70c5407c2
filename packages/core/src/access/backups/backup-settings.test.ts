import { createTestDatabase, type TestDatabase } from "@workspace/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHOICES, NOW, startBackupProcess, USER_ID } from "../../../testing/test-backups.ts";
import { createTestDeps, type TestDeps } from "../../../testing/test-deps.ts";
import { InvalidInputError, PreconditionFailedError } from "../../platform/errors.ts";

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
