import { constants } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../log.ts";
import { type ProcessOwner, runProgram } from "../run-program.ts";
import { syncPath } from "../sync-path.ts";
import { errorCode, errorMessage } from "../system-error.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import type { PostgresBinaries } from "./postgres-binaries.ts";

const TEMPORARY_PREFIX = ".copying-";

/** The folder for copies of the programs that all users may run. */
export const DEFAULT_BINARIES_ROOT = "/var/lib/workspace";

/**
 * Returns the folder of programs that `owner` can run: the package's own if possible, otherwise a copy. A copy is needed if the
 * service runs as root from a folder that others cannot access, such as a clone below /root.
 *
 * The copy is created once per build of PostgreSQL, is owned by root, and only appears under its name once it is complete and on
 * disk; concurrent calls end up with the same one. Throws {@link EmbeddedPostgresError} if the programs do not run at all.
 */
export async function makeBinariesReachable(
  binaries: PostgresBinaries,
  owner: ProcessOwner | undefined,
  { log, root }: { log: Log; root: string },
): Promise<string> {
  const ownBinDir = join(binaries.dir, "bin");
  const problem = await problemOfRunning(ownBinDir, owner);
  if (problem === undefined) return ownBinDir;
  if (owner === undefined || (await problemOfRunning(ownBinDir, undefined)) !== undefined) {
    throw new EmbeddedPostgresError(`The PostgreSQL programs in ${ownBinDir} do not run: ${problem}`);
  }
  const copy = join(root, `postgres-${binaries.build}`);
  if (!(await isTrustworthyCopy(copy))) {
    log.info(
      { from: binaries.dir, to: copy },
      "copying the PostgreSQL programs to a folder where their user can run them",
    );
    await copyBinaries(binaries.dir, copy, root).catch((cause: unknown) => {
      throw new EmbeddedPostgresError(
        `PostgreSQL does not run as root, its user cannot enter ${binaries.dir}, and no copy can be made in ${root} ` +
          `(${errorMessage(cause)}). Install the service in a folder that all users can access, or start it as another user.`,
        { cause },
      );
    });
  }
  const problemOfCopy = await problemOfRunning(join(copy, "bin"), owner);
  if (problemOfCopy !== undefined) {
    throw new EmbeddedPostgresError(`The PostgreSQL programs do not run from ${copy} either: ${problemOfCopy}`);
  }
  return join(copy, "bin");
}

/** Only running a program detects all the ways in which a path can be inaccessible. */
async function problemOfRunning(binDir: string, owner: ProcessOwner | undefined): Promise<string | undefined> {
  try {
    const { exitCode, stderr } = await runProgram(join(binDir, "postgres"), ["--version"], { owner });
    return exitCode === 0 ? undefined : stderr.trim() || `exit code ${exitCode}`;
  } catch (error) {
    return errorMessage(error);
  }
}

async function isTrustworthyCopy(copy: string): Promise<boolean> {
  try {
    const { uid, mode } = await stat(copy);
    const isWritableByOthers = (mode & 0o022) !== 0;
    if (uid === 0 && !isWritableByOthers) return true;
    throw new EmbeddedPostgresError(`${copy} can be modified by users other than root; remove it and start again.`);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function copyBinaries(source: string, copy: string, root: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o755 });
  await removeAbandonedCopies(root);
  const temporary = await mkdtemp(join(root, TEMPORARY_PREFIX));
  try {
    await copyTree(source, temporary);
    await rename(temporary, copy);
    await syncPath(root);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // A concurrent start created the same copy; both are complete.
    const isAlreadyThere = errorCode(error) === "ENOTEMPTY" || errorCode(error) === "EEXIST";
    if (!isAlreadyThere) throw error;
  }
}

/** Removes what a start left behind that was killed while copying; a copy in progress is younger than this. */
async function removeAbandonedCopies(root: string): Promise<void> {
  const oneHourAgo = Date.now() - 3_600_000;
  for (const name of await readdir(root)) {
    const path = join(root, name);
    const isAbandoned = name.startsWith(TEMPORARY_PREFIX) && (await stat(path)).mtimeMs < oneHourAgo;
    if (isAbandoned) await rm(path, { recursive: true, force: true });
  }
}

/** Files that only compilers need. */
const isForCompilersOnly = (name: string): boolean => name.endsWith(".a") || name === "pkgconfig" || name === "pgxs";

async function copyTree(source: string, target: string): Promise<void> {
  for (const entry of await readdir(source, { withFileTypes: true })) {
    if (isForCompilersOnly(entry.name)) continue;
    const from = join(source, entry.name);
    const to = join(target, entry.name);
    if (entry.isDirectory()) {
      await mkdir(to);
      await copyTree(from, to);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(from), to);
    } else {
      await copyReadable(from, to);
    }
  }
  // Our umask or the package manager's may have removed the permissions.
  await chmod(target, 0o755);
  await syncPath(target);
}

async function copyReadable(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const isExecutable = ((await stat(from)).mode & 0o100) !== 0;
  await chmod(to, isExecutable ? 0o755 : 0o644);
  await syncPath(to);
}
