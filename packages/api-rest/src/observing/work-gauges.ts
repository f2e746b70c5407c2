import type { Services } from "@workspace/core";
import { Gauge, type Registry } from "prom-client";

export interface WorkServices {
  readonly serverStatus: Pick<Services["serverStatus"], "readBackupRuns">;
  readonly webhookDeliveries: Pick<Services["webhookDeliveries"], "count">;
}

type Runs = Awaited<ReturnType<Services["serverStatus"]["readBackupRuns"]>>;

/** Gauges of backups and of deliveries to webhooks, of all processes; returns what reads them. Without the database they are left out. */
export function createWorkGauges(registry: Registry, services: WorkServices): () => Promise<void> {
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `workspace_${name}`, help, labelNames, registers: [registry] });
  const succeeded = gauge("backup_last_success_timestamp_seconds", "When the last backup that was made began");
  const attempted = gauge("backup_last_attempt_timestamp_seconds", "When the last backup began, made or not");
  const isMade = gauge("backup_last_attempt_success", "Whether the last backup that began was made");
  const vaultBytes = gauge("backup_last_success_vault_bytes", "Size of the vault's files in the last backup");
  const storedBytes = gauge("backup_last_success_stored_bytes", "What the last backup has added to its place");
  const isWhole = gauge("backup_check_success", "Whether the last check has found its backup whole", ["check"]);
  const delivered = gauge("webhook_deliveries_last_hour", "Deliveries that ended within the last hour", ["result"]);
  const pending = gauge("webhook_deliveries_pending", "Deliveries that wait to be made or repeated");

  function setBackups(runs: Runs): void {
    const made = latestOf(runs, "backup", ["done"]);
    const last = latestOf(runs, "backup", ["done", "failed", "cancelled"]);
    if (made !== undefined) {
      succeeded.set(secondsOf(made.startedAt));
      if (made.vaultBytes !== null) vaultBytes.set(made.vaultBytes);
      if (made.storedBytes !== null) storedBytes.set(made.storedBytes);
    }
    if (last !== undefined) {
      attempted.set(secondsOf(last.startedAt));
      isMade.set(Number(last.status === "done"));
    }
    for (const check of ["verify", "drill"] as const) {
      const checked = latestOf(runs, check, ["done", "failed"]);
      if (checked !== undefined) isWhole.set({ check }, Number(checked.status === "done"));
    }
  }

  return async () => {
    for (const each of [succeeded, attempted, isMade, vaultBytes, storedBytes, pending]) each.remove();
    for (const each of [isWhole, delivered]) each.reset();
    const [runs, counts] = await Promise.all([
      services.serverStatus.readBackupRuns(),
      services.webhookDeliveries.count(),
    ]);
    setBackups(runs);
    delivered.set({ result: "delivered" }, counts.delivered);
    delivered.set({ result: "failed" }, counts.failed);
    pending.set(counts.pending);
  };
}

function latestOf(runs: Runs, of: Runs[number]["kind"], statuses: readonly Runs[number]["status"][]) {
  return runs
    .filter(({ kind, status }) => kind === of && statuses.includes(status))
    .toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt))[0];
}

function secondsOf(timestamp: string): number {
  return Date.parse(timestamp) / 1000;
}
