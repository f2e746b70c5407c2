import { trpc } from "../../api/trpc.ts";
import type { Outputs } from "../../api/api.ts";
import type { Client } from "../../client/client.ts";
import { formatDuration, formatSize, pluralize } from "../../numbers/number-format.ts";

export type BackupSettings = Outputs["backups"]["settings"]["data"];
export type BackupStatus = Outputs["backups"]["status"]["data"];
export type BackupRun = NonNullable<BackupStatus["running"]>;
export type StoredBackup = Outputs["backups"]["list"]["data"][number];
export type BackupProblemKind = NonNullable<BackupStatus["problem"]>["kind"];

const BUSY_REFETCH_MS = 1_000;
const IDLE_REFETCH_MS = 15_000;

/** What was done last with backups, and what is next. */
export function backupStatusQuery(client: Client) {
  return {
    ...trpc(client).backups.status.queryOptions(),
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: { data: BackupStatus } | undefined } }) =>
      state.data?.data.running === null ? IDLE_REFETCH_MS : BUSY_REFETCH_MS,
  };
}

/** Reads again what is being done. */
export async function refreshBackups(client: Client): Promise<void> {
  await client.queries.invalidateQueries({ queryKey: trpc(client).backups.status.queryKey() });
}

export const PROBLEM_TITLES: Readonly<Record<BackupProblemKind, string>> = {
  "backup failed": "The last backup failed",
  "backup damaged": "A backup is damaged",
  "restore drill failed": "The last restore drill failed",
};

export const RUNNING: Readonly<Record<BackupRun["kind"], string>> = {
  backup: "Making a backup",
  verify: "Checking a backup",
  drill: "Trying out a restore",
};

/** "1,204 rows and 17 files of 3.1 MB, stored 200 kB, in 2 s" */
export function describeRun({ rows, files, vaultBytes, storedBytes, startedAt, completedAt }: BackupRun): string {
  if (rows === null || files === null) return "";
  return [
    `${pluralize(rows, "row")} and ${pluralize(files, "file")}${vaultBytes === null ? "" : ` of ${formatSize(vaultBytes)}`}`,
    ...(storedBytes === null ? [] : [`stored ${formatSize(storedBytes)}`]),
    ...(completedAt === null ? [] : [`in ${formatDuration(Date.parse(completedAt) - Date.parse(startedAt))}`]),
  ].join(", ");
}
