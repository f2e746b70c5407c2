import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { BackupFailure, type BackupEngine, type BackupPlace } from "@workspace/core";
import type { BackedUpWorkspace, BackupOrders, BackupReport } from "./backup-orders.ts";

/** A process that does not end when it is told to is killed. */
const END_DEADLINE_MS = 3_000;

export interface BackupEngineOptions {
  /** The script of the process: `backup-worker`, as JavaScript. */
  readonly workerPath: string;
  readonly workspace: BackedUpWorkspace;
}

/** Makes backups and reads them in a process of its own for each piece of work. */
export function createBackupEngine({ workerPath, workspace }: BackupEngineOptions): BackupEngine {
  async function perform<Result>(place: BackupPlace, work: BackupOrders["work"], signal: AbortSignal): Promise<Result> {
    signal.throwIfAborted();
    // What the server is tuned with would only take memory.
    const execArgv = process.execArgv.filter((option) => !option.startsWith("--max-"));
    const child = fork(workerPath, [], { execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const end = (): void => void child.kill("SIGTERM");
    signal.addEventListener("abort", end);
    const exited = once(child, "exit");
    try {
      const orders: BackupOrders = { place, work, workspace };
      child.send(orders, () => {
        // If it could not be sent, the process has ended, which is reported below.
      });
      const reported = once(child, "message").then(([report]: BackupReport[]) => report);
      const report = await Promise.race([reported, exited.then(() => undefined)]);
      signal.throwIfAborted();
      if (report === undefined) throw new Error("The process for backups has ended unexpectedly.");
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Both sides are of one build.
      if (report.ok) return report.result as Result;
      throw report.isUnexpected ? new Error(report.message) : new BackupFailure(report.message);
    } finally {
      signal.removeEventListener("abort", end);
      const deadline = new AbortController();
      const isLate = sleep(END_DEADLINE_MS, true, { signal: deadline.signal }).catch(() => false);
      if ((await Promise.race([exited, isLate])) === true) child.kill("SIGKILL");
      await exited;
      deadline.abort();
    }
  }

  return {
    check: (place, signal) => perform(place, { kind: "check" }, signal),
    list: (place, signal) => perform(place, { kind: "list" }, signal),
    backUp: (place, retention, signal) => perform(place, { kind: "backUp", retention }, signal),
    verify: (place, backupId, signal) => perform(place, { kind: "verify", backupId }, signal),
    drill: (place, signal) => perform(place, { kind: "drill" }, signal),
  };
}
