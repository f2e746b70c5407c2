import { nodeFileSystemCalls, type FileSystemCalls } from "../file-system-calls.ts";

export type FailureCode = "EIO" | "ENOSPC" | "EROFS" | "EMFILE" | "EDQUOT";

/** The real system calls, of which one may be told to fail. */
export interface FailingCalls {
  readonly calls: FileSystemCalls;
  /** The names of the calls made since the last reset, in order. */
  readonly log: string[];
  /** From now on, the call of this number (from 0) fails with the code, once; a call that releases things never does. */
  failAt(index: number, code: FailureCode): void;
  /** From the call of this number on (from 0), nothing is done any more, as if the process had been killed before it. */
  dieAt(index: number): void;
  reset(): void;
}

/** Wraps the real file system: what is not told to fail really happens. */
export function createFailingCalls(): FailingCalls {
  const log: string[] = [];
  let failure: { index: number; code: FailureCode } | null = null;
  let deathAt = Infinity;

  const failIfTold = (name: string): void => {
    const index = log.push(name) - 1;
    if (index >= deathAt) throw new Error("The process is dead.");
    if (failure?.index !== index) return;
    throw Object.assign(new Error(`${failure.code}: injected into ${name}`), { code: failure.code, syscall: name });
  };
  const wrap =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      failIfTold(name);
      return call(...args);
    };
  const real = nodeFileSystemCalls;

  return {
    log,
    failAt: (index, code) => void (failure = { index, code }),
    dieAt: (index) => void (deathAt = index),
    reset: () => {
      failure = null;
      deathAt = Infinity;
      log.length = 0;
    },
    calls: {
      open: wrap("open", real.open),
      release: real.release,
      fstat: (fd) => {
        failIfTold("fstat");
        return real.fstat(fd);
      },
      lstat: wrap("lstat", real.lstat),
      lookAgain: (path) => {
        failIfTold("lookAgain");
        return real.lookAgain(path);
      },
      read: wrap("read", real.read),
      write: wrap("write", real.write),
      fchmod: wrap("fchmod", real.fchmod),
      fchown: wrap("fchown", real.fchown),
      futimes: wrap("futimes", real.futimes),
      fsync: wrap("fsync", real.fsync),
      rename: wrap("rename", real.rename),
      link: wrap("link", real.link),
      symlink: wrap("symlink", real.symlink),
      readDescriptorLink: real.readDescriptorLink,
      readlink: wrap("readlink", real.readlink),
      access: wrap("access", real.access),
      unlink: wrap("unlink", real.unlink),
      mkdir: wrap("mkdir", real.mkdir),
      rmdir: wrap("rmdir", real.rmdir),
      readdir: wrap("readdir", real.readdir),
      stream: real.stream,
    },
  };
}
