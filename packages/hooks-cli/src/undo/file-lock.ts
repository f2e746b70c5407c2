import * as fs from "node:fs";
import { sinceStartMs } from "../clock.ts";
import { hasCode, temporaryPathFor, tryRead, tryStat } from "../files/atomic-file.ts";

/** Nobody holds a lock for so long without touching it. */
const MAX_SILENCE_MS = 60_000;
const POLL_MS = 3;

export interface FileLock {
  /** To be called now and then by whoever holds the lock for long. */
  readonly touch: () => void;
  readonly release: () => void;
}

/**
 * Takes a lock that processes of this machine share, waiting for it until `endMs` on the clock of `sinceStartMs`. The lock of a
 * process that died is taken over. Undefined if it is still held then.
 */
export function acquireLock(path: string, endMs: number): FileLock | undefined {
  for (;;) {
    try {
      fs.writeFileSync(path, `${process.pid}`, { flag: "wx", mode: 0o600 });
      return { touch: () => touch(path), release: () => fs.rmSync(path, { force: true }) };
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
    if (isAbandoned(path)) breakLock(path);
    else if (sinceStartMs() > endMs) return undefined;
    else pause(POLL_MS);
  }
}

function touch(path: string): void {
  const now = new Date();
  fs.utimesSync(path, now, now);
}

function isAbandoned(path: string): boolean {
  const status = tryStat(path);
  if (status === undefined) return false;
  const silenceMs = Date.now() - status.mtimeMs;
  const pid = Number(tryRead(path));
  // Its process is just about to write it.
  if (!Number.isInteger(pid) || pid <= 0) return silenceMs > 1_000;
  return silenceMs > MAX_SILENCE_MS || !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}

/** Of several processes that find a lock abandoned, one takes it away; another may take away a new one, and puts it back. */
function breakLock(path: string): void {
  const aside = temporaryPathFor(path);
  try {
    fs.renameSync(path, aside);
    if (!isAbandoned(aside)) fs.linkSync(aside, path);
  } catch (error) {
    if (!hasCode(error, "ENOENT") && !hasCode(error, "EEXIST")) throw error;
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

/** Does nothing for so long. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
