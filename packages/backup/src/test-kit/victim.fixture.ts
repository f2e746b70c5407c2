/** A process that makes backups, removes old ones, restores or upgrades a database, as told by its argument, until it is killed or done. */
import type { ClientConfig } from "pg";
import { backUp } from "../back-up.ts";
import { prune } from "../prune.ts";
import { openRepository } from "../repository/repository.ts";
import { restore } from "../restore.ts";
import { upgradeDatabase } from "../upgrade-database.ts";

/** What a victim does; plain data. */
export interface VictimOrders {
  readonly work: "backup" | "prune" | "restore" | "upgrade";
  readonly config: ClientConfig;
  readonly databaseUrl: string;
  readonly backups: string;
  readonly vault: string;
  readonly dataDir: string;
  readonly migrationsDir: string;
  readonly keyFiles: readonly string[];
}

const orders: VictimOrders = JSON.parse(process.argv[2] ?? "");
const { backups, vault, config, work } = orders;
const log = { info() {}, warn() {}, error() {} };

process.stdout.write("begins\n");
if (work === "upgrade") await upgradeDatabase({ ...orders, log, tell() {} });
else await workOnBackups();

async function workOnBackups(): Promise<void> {
  const repository = await openRepository({ dir: backups, passphrase: null, access: "write" });
  if (work === "backup") {
    await backUp({ ...orders, repository, vaultRoot: vault, version: "0.0.0-test", now: new Date() });
  } else if (work === "prune") {
    await prune(
      repository,
      { hourly: 0, daily: 1, weekly: 0, monthly: 0 },
      { isDryRun: false, now: new Date(), made: null },
    );
  } else {
    const backupId = (await repository.listBackups()).at(-1) ?? "";
    const openDatabase = () => Promise.resolve({ config, close: () => Promise.resolve() });
    await restore({
      ...orders,
      repository,
      backupId,
      vaultRoot: vault,
      openDatabase,
      log,
      replaces: false,
      now: new Date(),
    });
  }
  await repository.close();
}
