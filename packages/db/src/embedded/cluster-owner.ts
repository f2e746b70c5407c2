import { chown, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../log.ts";
import { type ProcessOwner, runProgram } from "../run-program.ts";
import { errorCode, errorMessage } from "../system-error.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

const SYSTEM_USER = "workspace-postgres";

/**
 * Determines the owner of the cluster, because PostgreSQL refuses to run as root: undefined for this process's own user, unless
 * that is root. For root, it is the owner of the existing cluster, or else the system user `workspace-postgres`, which is created
 * if it is missing; a cluster owned by root (a restored backup) is handed over to that user.
 *
 * Idempotent. Throws {@link EmbeddedPostgresError} if the system user cannot be created.
 */
export async function chooseClusterOwner(clusterDir: string, log: Log): Promise<ProcessOwner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await statOrUndefined(clusterDir);
  if (existing !== undefined && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const owner = (await findSystemUser()) ?? (await createSystemUser(log));
  if (existing !== undefined) await chownTree(clusterDir, owner);
  return owner;
}

async function statOrUndefined(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function findSystemUser(): Promise<ProcessOwner | undefined> {
  const [uid, gid] = await Promise.all([runProgram("id", ["-u", SYSTEM_USER]), runProgram("id", ["-g", SYSTEM_USER])]);
  if (uid.exitCode !== 0 || gid.exitCode !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

async function createSystemUser(log: Log): Promise<ProcessOwner> {
  const reason = await addSystemUser();
  // Another start may have created the user in the meantime, so it is only a failure if the user is still missing.
  const owner = await findSystemUser();
  if (owner === undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, and the system user ${SYSTEM_USER} to run it could not be created (${reason}). ` +
        `Create it (useradd --system ${SYSTEM_USER}), start the service as a user other than root, or set DATABASE_URL.`,
    );
  }
  log.info({ user: SYSTEM_USER, uid: owner.uid }, "created the system user that PostgreSQL runs as");
  return owner;
}

/** Returns the error message if it fails. */
async function addSystemUser(): Promise<string> {
  const flags = [
    "--system",
    "--user-group",
    "--no-create-home",
    "--home-dir",
    "/nonexistent",
    "--shell",
    "/usr/sbin/nologin",
  ];
  try {
    const { exitCode, stderr } = await runProgram("useradd", [...flags, SYSTEM_USER]);
    return stderr.trim() || `useradd ended with code ${exitCode}`;
  } catch (error) {
    return errorMessage(error);
  }
}

async function chownTree(dir: string, owner: ProcessOwner): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await chownTree(path, owner);
    else if (entry.isFile()) await chown(path, owner.uid, owner.gid);
  }
  // Last, so that the next start resumes an interrupted handover.
  await chown(dir, owner.uid, owner.gid);
}
