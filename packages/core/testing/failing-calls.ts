import { nodeFileSystemCalls, type FileSystemCalls } from "../src/knowledge/vault/file-system-calls.ts";

export type FailureCode = "EIO" | "ENOSPC" | "EROFS" | "EMFILE" | "EDQUOT";

/** The real system calls, any one of which can be made to fail. */
export interface FailingCalls {
  readonly calls: FileSystemCalls;
  /** The names of the calls made since the last reset, in order. */
  readonly log: string[];
  /** Makes the call with this index (from 0) fail once with the code. Calls that release something never fail. */
  failAt(index: number, code: FailureCode): void;
  /** Makes the call with this index (from 0) and all later ones throw, as if the process had been killed before it. */
  dieAt(index: number): void;
  reset(): void;
}

/** Wraps the real file system: all other calls are really made. */
export function createFailingCalls(): FailingCalls {
  const log: string[] = [];
  let failure: { index: number; code: FailureCode } | null = null;
  let deathAt = Infinity;

  const failIfRequested = (name: string): void => {
    const index = log.push(name) - 1;
    if (index >= deathAt) throw new Error("The process is dead.");
    if (failure?.index !== index) return;
    throw Object.assign(new Error(`${failure.code}: injected into ${name}`), { code: failure.code, syscall: name });
  };
  const wrap =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      failIfRequested(name);
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
        failIfRequested("fstat");
        return real.fstat(fd);
      },
      lstat: wrap("lstat", real.lstat),
      lstatSync: (path) => {
        failIfRequested("lstatSync");
        return real.lstatSync(path);
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
