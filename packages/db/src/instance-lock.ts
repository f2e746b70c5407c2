import { close as closeCallback, constants, fstat, ftruncate, open as openCallback, write } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeDirectory } from "./make-directory.ts";
import { poll } from "./poll.ts";
import { runProgram } from "./run-program.ts";
import { errorCode } from "./system-error.ts";

// Raw descriptors, because Node closes garbage-collected FileHandles, which would release the lock.
const openFile = promisify(openCallback);
const closeFile = promisify(closeCallback);
const statFile = promisify(fstat);
const truncateFile = promisify(ftruncate);
const writeFile = promisify(write);

/** Another running service uses the data directory. The message is meant for the person who started this one. */
export class DataDirInUseError extends Error {
  override readonly name = "DataDirInUseError";
  readonly dataDir: string;
  /** The process of that service, if it is known; else empty. */
  readonly ownerPid: string;

  constructor(dataDir: string, ownerPid: string) {
    super(
      `The data directory ${dataDir} is in use by another running service${ownerPid && ` (process ${ownerPid})`}. ` +
        "Stop that one first, or start this one with another DATA_DIR.",
    );
    this.dataDir = dataDir;
    this.ownerPid = ownerPid;
  }
}

/** Exclusive use of a data directory, until it is released or the process ends for any reason. */
export interface InstanceLock {
  /** Idempotent. */
  release(): Promise<void>;
}

interface LockOptions {
  /** How long to wait for a previous service that is shutting down. */
  readonly waitMs?: number;
  /** The util-linux program; set by tests that do without it. */
  readonly flockProgram?: string;
}

/**
 * Locks a data directory for this process. The kernel holds the lock, on an open file, so it needs no database, survives
 * restarts of the database, is released the moment the process ends (even by `kill -9`), never becomes stale, and also works
 * between containers that share the directory. Exactly one of any number of concurrent calls succeeds.
 *
 * Creates the directory, inaccessible to other users, if it is missing. Throws {@link DataDirInUseError} if another process (or
 * this one) holds the lock.
 */
export async function lockDataDir(
  dataDir: string,
  { waitMs = 1000, flockProgram = "flock" }: LockOptions = {},
): Promise<InstanceLock> {
  await makeDirectory(dataDir, { mode: 0o700 });
  const lockPath = join(dataDir, "instance.lock");
  const unlock = await poll(() => tryLock(lockPath, flockProgram), { timeoutMs: waitMs, intervalMs: 100 });
  if (unlock === undefined) throw new DataDirInUseError(dataDir, await readOwnerPid(lockPath));
  let released: Promise<void> | undefined;
  return { release: () => (released ??= unlock()) };
}

type Unlock = () => Promise<void>;

/** Resolves to undefined if another process holds the lock. */
async function tryLock(path: string, flockProgram: string): Promise<Unlock | undefined> {
  const locksOnOpen = process.platform === "darwin";
  const fd = locksOnOpen ? await openLocked(path) : await openFile(path, OPEN_FLAGS, 0o600);
  if (fd === undefined) return undefined;
  try {
    const unlock = locksOnOpen ? noop : await lockDescriptor(fd, flockProgram);
    if (unlock !== undefined) {
      await writeOwnerPid(fd);
      return async () => {
        await unlock();
        await closeFile(fd);
      };
    }
  } catch (error) {
    await closeFile(fd);
    throw error;
  }
  await closeFile(fd);
  return undefined;
}

const OPEN_FLAGS = constants.O_RDWR | constants.O_CREAT;
const noop = (): Promise<void> => Promise.resolve();

/** macOS takes the flock(2) lock as part of opening the file; these two flags are not in Node's constants. */
async function openLocked(path: string): Promise<number | undefined> {
  const O_NONBLOCK = 0x4;
  const O_EXLOCK = 0x20;
  try {
    return await openFile(path, OPEN_FLAGS | O_NONBLOCK | O_EXLOCK, 0o600);
  } catch (error) {
    if (errorCode(error) === "EAGAIN") return undefined;
    throw error;
  }
}

/**
 * Calls flock(2), which Node does not offer, through the program of that name: the lock belongs to the open file that both
 * share, and outlives the program.
 */
async function lockDescriptor(fd: number, flockProgram: string): Promise<Unlock | undefined> {
  try {
    const { exitCode, stderr } = await runProgram(flockProgram, ["-x", "-n", "3"], { inheritedFd: fd });
    if (exitCode === 0) return noop;
    if (exitCode === 1) return undefined;
    throw new Error(`Cannot lock the data directory: ${stderr.trim() || `flock ended with code ${exitCode}`}`);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    return bindAbstractSocket(fd);
  }
}

/**
 * For Linux without util-linux: a socket in the abstract namespace, named after the lock file's inode, which the kernel grants to
 * one process until that ends. Weaker than flock, because it is limited to a network namespace.
 */
async function bindAbstractSocket(fd: number): Promise<Unlock | undefined> {
  const { dev, ino } = await statFile(fd);
  const server = createServer((socket) => socket.destroy()).unref();
  const isBound = await new Promise<boolean>((resolve, reject) => {
    server.once("error", (error) => (errorCode(error) === "EADDRINUSE" ? resolve(false) : reject(error)));
    server.listen(`\0workspace-instance-lock:${dev}:${ino}`, () => resolve(true));
  });
  return isBound ? () => new Promise((resolve) => server.close(() => resolve())) : undefined;
}

/** Only used for the error message; the lock is what counts. */
async function writeOwnerPid(fd: number): Promise<void> {
  await truncateFile(fd, 0);
  await writeFile(fd, `${process.pid}\n`, 0, "utf8");
}

async function readOwnerPid(lockPath: string): Promise<string> {
  const text = await readFile(lockPath, "utf8").catch(() => "");
  return /^\d+$/.exec(text.trim())?.[0] ?? "";
}
