import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { choosePort, ListenError } from "../http/listen.ts";
import type { Examined, Finding } from "./finding.ts";

const REMEDIES: ReadonlyMap<unknown, string> = new Map([
  ["ENOSPC", "Free space on its disk."],
  ["EDQUOT", "Free space on its disk."],
  ["EROFS", "Mount its disk with write access."],
]);

/** Writes a file into the data folder and removes it, because access rights alone do not show a disk that is read-only. */
export async function checkDataFolder({ config: { dataDir } }: Examined): Promise<Finding[]> {
  const subject = `data folder ${dataDir}`;
  const path = join(dataDir, `.doctor-${randomUUID()}`);
  try {
    const handle = await open(path, "wx", 0o600);
    try {
      await handle.write("x");
    } finally {
      await handle.close();
      await rm(path, { force: true });
    }
    return [{ subject, state: "good", message: "can be written" }];
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // The database has been reported already.
    if (code === "ENOENT") return [];
    const remedy = REMEDIES.get(code) ?? "Give the service's user access to the folder, or set DATA_DIR.";
    return [{ subject, state: "bad", message: `cannot be written (${String(code ?? error)})`, remedy }];
  }
}

/** While the service is stopped, its port must be free. */
export async function checkPort({ config, isServiceRunning }: Examined): Promise<Finding[]> {
  if (isServiceRunning) return [];
  const subject = `port ${config.port}`;
  try {
    await choosePort(config);
    return [{ subject, state: "good", message: "is free" }];
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    return [{ subject, state: "bad", message: error.failure, remedy: error.remedy }];
  }
}
