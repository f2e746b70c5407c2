import { statfs } from "node:fs/promises";
import { selectLatestBackupRuns } from "../../access/backups/backup.queries.ts";
import type { BackupRun } from "../../access/backups/backup.schema.ts";
import type { Deps } from "../../platform/deps.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import { selectActivity, type ServerActivity } from "./server-activity.queries.ts";
import { selectDatabaseStatus, selectProcesses, selectVaultSize } from "./server-status.queries.ts";
import type { ServerStatus } from "./server-status.schema.ts";

export interface ServerStatusDeps extends Deps<"db" | "clock"> {
  readonly processes: Pick<ProcessRegistry, "processId">;
  readonly vaultRoot: string;
  readonly dataDir: string;
  readonly timeZone: string;
}

export type ServerStatusService = ReturnType<typeof createServerStatusService>;

/** What the server is made of, what each of its processes does, and how much is stored. */
export function createServerStatusService({ db, clock, processes, vaultRoot, dataDir, timeZone }: ServerStatusDeps) {
  const startedAt = new Date(clock.now().getTime() - process.uptime() * 1000).toISOString();
  return {
    /** What agents and hooks have done lately, for those who watch the server. */
    readActivity: (): Promise<ServerActivity> => selectActivity(db.pool),

    /** The latest work on backups of each kind and status. */
    readBackupRuns: (): Promise<BackupRun[]> => selectLatestBackupRuns(db.pool, clock.now()),

    async get(): Promise<ServerStatus> {
      const [running, database, vault, vaultFree, dataFree] = await Promise.all([
        selectProcesses(db.pool, processes.processId),
        selectDatabaseStatus(db.pool),
        selectVaultSize(db.pool),
        freeBytesOf(vaultRoot),
        freeBytesOf(dataDir),
      ]);
      return {
        process: {
          nodeVersion: process.version,
          platform: `${process.platform} ${process.arch}`,
          startedAt,
          residentBytes: process.memoryUsage.rss(),
          timeZone,
        },
        processes: running,
        database,
        vault: { path: vaultRoot, ...vault, freeBytes: vaultFree },
        data: { path: dataDir, freeBytes: dataFree },
      };
    },
  };
}

/** What is left for users on the disk of a folder; null if it cannot be reached. */
async function freeBytesOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
