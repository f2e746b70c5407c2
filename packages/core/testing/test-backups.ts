import {
  BackupFailure,
  type BackupEngine,
  type BackupOutcome,
  type BackupPlace,
} from "../src/access/backups/backup-engine.ts";
import type { SetBackupSettings } from "../src/access/backups/backup.schema.ts";
import { createBackupServices } from "../src/backup-services.ts";
import { NotFoundError } from "../src/platform/errors.ts";
import { eventually } from "./eventually.ts";
import type { TestDeps } from "./test-deps.ts";

export const NOW = "2026-11-26T12:00:00Z";
export const USER_ID = "0190a000-0000-7000-8000-000000000001";
export const CHOICES: SetBackupSettings = {
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
export const OUTCOME: BackupOutcome = {
  backupId: "b1",
  rows: 5,
  files: 2,
  vaultBytes: 10,
  storedBytes: 20,
  message: null,
};

/** A server process whose engine does what a test says. */
export async function startBackupProcess(
  deps: TestDeps,
  {
    db = deps.db,
    refuses = null as string | null,
    vaultProblem = null as string | null,
    environment = { place: null, s3: null, passphrase: null },
  } = {},
) {
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

/** Waits until no work on backups is in progress. */
export const end = (backups: Awaited<ReturnType<typeof startBackupProcess>>["backups"]) =>
  eventually(async () => (await backups.status()).running === null);
