import type { EmbeddedPoolConfig } from "../embedded-postgres.ts";
import { type ScriptProcess, spawnScript } from "./script-process.ts";

/** The report that the process prints once it is ready. */
export interface ServiceReport {
  readonly postmasterPid: number;
  readonly poolConfig: EmbeddedPoolConfig;
}

interface ServiceOptions {
  readonly endsWithService: boolean;
}

/** Starts the embedded server in another process, which adds a row to the table `survivors`, prints its report, and waits. */
export function spawnService(
  dataDir: string,
  { endsWithService }: ServiceOptions = { endsWithService: true },
): ScriptProcess {
  return spawnScript("service-process.fixture.ts", import.meta.url, [dataDir, String(endsWithService)]);
}

/** Like {@link spawnService}, and waits for the report. */
export async function startService(dataDir: string, options: ServiceOptions): Promise<ScriptProcess & ServiceReport> {
  const service = spawnService(dataDir, options);
  const report: ServiceReport = JSON.parse(await service.readFirstLine());
  return { ...service, ...report };
}
