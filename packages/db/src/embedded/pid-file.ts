import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../system-error.ts";

/** PostgreSQL's lock file of a cluster, written by its server. */
export interface PidFile {
  /** The id of the process that wrote it, which may have ended long ago and its id been reused. */
  readonly pid: number;
  /** The folder of the socket. */
  readonly socketDir: string;
  /** `starting`, `ready`, `stopping`. */
  readonly status: string;
}

export type PidFileState = { kind: "missing" } | { kind: "unreadable" } | { kind: "present"; file: PidFile };

export function pidFilePath(clusterDir: string): string {
  return join(clusterDir, "postmaster.pid");
}

/** Reads the lock file in its current state. */
export async function readPidFile(clusterDir: string): Promise<PidFileState> {
  try {
    const file = parsePidFile(await readFile(pidFilePath(clusterDir), "utf8"));
    return file === undefined ? { kind: "unreadable" } : { kind: "present", file };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { kind: "missing" };
    throw error;
  }
}

/** Undefined for text that PostgreSQL would not accept as a lock file either. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pidLine = "", , , , socketDir = "", , , status = ""] = text.split("\n");
  // A stand-alone backend writes its process id as a negative number.
  const digits = /^-?(?<digits>\d{1,10})\s*$/.exec(pidLine)?.groups?.["digits"];
  const pid = Number(digits ?? 0);
  return pid > 0 ? { pid, socketDir: socketDir.trim(), status: status.trim() } : undefined;
}
