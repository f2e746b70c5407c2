/** A process that makes and removes backups, restores, or upgrades a database, as told by its argument, until its power is cut. */
import { backUp, openRepository, prune, restore, upgradeDatabase, type RestoreOptions } from "@workspace/backup";
import { defaultMigrationsDir, startEmbeddedPostgres, type PoolConfig } from "@workspace/db";

/** What a victim does; plain data. It prints a line for whatever it has done. */
export type Orders =
  | {
      readonly work: "backups";
      readonly config: PoolConfig;
      readonly backups: string;
      readonly vault: string;
      readonly dataDir: string;
    }
  | { readonly work: "restore"; readonly backups: string; readonly vault: string; readonly dataDir: string }
  | { readonly work: "upgrade"; readonly dataDir: string };

const SILENT_LOG = { info() {}, warn() {}, error() {} };
const KEY_FILES = ["encryption-key", "service-secret"];
const migrationsDir = defaultMigrationsDir();

/** Makes backups and removes all but the newest, again and again, calling back with the id of each that is finished. */
async function makeBackups(orders: Orders & { work: "backups" }, onMade: (id: string) => void): Promise<never> {
  const repository = await openRepository({ dir: orders.backups, passphrase: null, access: "write" });
  for (;;) {
    const options = { ...orders, repository, vaultRoot: orders.vault, keyFiles: KEY_FILES, version: "bench" };
    onMade((await backUp({ ...options, now: new Date() })).id);
    await prune(
      repository,
      { hourly: 0, daily: 1, weekly: 0, monthly: 0 },
      { isDryRun: false, now: new Date(), made: null },
    );
  }
}

/** Restores the newest backup into the embedded database of a data folder, moving away what is there. */
export async function restoreNewest({ backups, vault, dataDir }: Omit<Orders & { work: "restore" }, "work">) {
  const repository = await openRepository({ dir: backups, passphrase: null, access: "read" });
  try {
    const options: RestoreOptions = {
      repository,
      backupId: (await repository.listBackups()).at(-1) ?? "",
      dataDir,
      vaultRoot: vault,
      databaseUrl: null,
      async openDatabase() {
        const postgres = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
        return { config: postgres.poolConfig, close: () => postgres.close() };
      },
      migrationsDir,
      keyFiles: KEY_FILES,
      log: SILENT_LOG,
      replaces: true,
      now: new Date(),
    };
    await restore(options);
  } finally {
    await repository.close();
  }
}

/** Brings the database of a data folder to the present major version; does nothing if it is there. */
export async function upgrade(dataDir: string): Promise<void> {
  await upgradeDatabase({ dataDir, migrationsDir, log: SILENT_LOG, tell() {} });
}

if (process.argv[1] === import.meta.filename) {
  const orders: Orders = JSON.parse(process.argv[2] ?? "");
  process.stdout.write("begins\n");
  if (orders.work === "backups") await makeBackups(orders, (id) => process.stdout.write(`${id}\n`));
  else if (orders.work === "restore") await restoreNewest(orders);
  else await upgrade(orders.dataDir);
  process.stdout.write("done\n");
}
