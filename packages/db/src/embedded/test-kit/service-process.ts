import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { EmbeddedPoolConfig } from "../embedded-postgres.ts";

/** A service in a process of its own, to be killed. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly postmasterPid: number;
  readonly poolConfig: EmbeddedPoolConfig;
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>;
}

/** What the process prints when it is ready. */
export interface ServiceReport {
  readonly postmasterPid: number;
  readonly poolConfig: EmbeddedPoolConfig;
}

interface ServiceOptions {
  readonly endsWithService: boolean;
}

/**
 * Starts the embedded server in a process of its own, which adds a row to the table `survivors`, reports, and waits.
 * It is killed after the test at the latest.
 */
export function spawnService(dataDir: string, { endsWithService }: ServiceOptions = { endsWithService: true }) {
  const script = fileURLToPath(new URL("service-process.main.ts", import.meta.url));
  const args = ["--import", "tsx", script, dataDir, String(endsWithService)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return child;
}

/** Like {@link spawnService}, and waits for the report. */
export async function startServiceProcess(dataDir: string, options: ServiceOptions): Promise<ServiceProcess> {
  const child = spawnService(dataDir, options);
  const exited = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const report: ServiceReport = JSON.parse(line);
    return { child, kill, ...report };
  }
  throw new Error("The service process ended before it was ready.");
}
