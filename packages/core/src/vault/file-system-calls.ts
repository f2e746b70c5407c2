import fs, { constants, type BigIntStats } from "node:fs";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

/**
 * The system calls that the vault is made of, one function each: what the vault does to a disk goes through here and nowhere
 * else, so that a test can make each single call fail. Whatever may wait for a disk is asynchronous. What only looks at an
 * open descriptor is not, because it never waits and a trip to another thread would cost ten times as much.
 */
export interface FileSystemCalls {
  open(path: string, flags: number, mode?: number): Promise<number>;
  /** Closes a descriptor through which nothing is waiting to be written. Never fails. */
  release(fd: number): void;
  fstat(fd: number): BigIntStats;
  lstat(path: string): Promise<BigIntStats>;
  /** `lstat` at once, of a name that a call has just used, so that the kernel has it in memory. */
  lookAgain(path: string): BigIntStats;
  /** Reads at a position, as much as there is, up to the size of the buffer. */
  read(fd: number, buffer: Uint8Array, position: number): Promise<number>;
  /** Appends some of the bytes and says how many. */
  write(fd: number, bytes: Uint8Array): Promise<number>;
  fchmod(fd: number, mode: number): Promise<void>;
  fchown(fd: number, uid: number, gid: number): Promise<void>;
  futimes(fd: number, atimeS: number, mtimeS: number): Promise<void>;
  fsync(fd: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(existing: string, created: string): Promise<void>;
  symlink(target: string, created: string): Promise<void>;
  /** Where an open descriptor is now; only looks at the kernel's memory. */
  readDescriptorLink(path: string): string;
  readlink(path: string): Promise<string>;
  /** Fails where this process may not do all of what `mode` says, also because the file system is read-only. */
  access(path: string, mode: number): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string, mode: number): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** The names in a directory as bytes: not every name on a disk is valid UTF-8. */
  readdir(path: string): Promise<Buffer[]>;
  /** Streams `length` bytes and closes the descriptor at the end, however it comes. */
  stream(fd: number, range: { readonly start: number; readonly length: number }): Readable;
}

export const O_PATH = 0o10000000;

/** Has each write wait for the disk as an `fsync` after it would; 0 where a system does not promise as much. */
export const O_SYNC = process.platform === "linux" ? constants.O_SYNC : 0;

export const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY, R_OK, W_OK, X_OK } = constants;

const open = promisify(fs.open);
const read = promisify(fs.read);
const write = promisify(fs.write);
const lstat = promisify(fs.lstat);
const readdir = promisify(fs.readdir);

export const nodeFileSystemCalls: FileSystemCalls = {
  open: (path, flags, mode) => open(path, flags, mode),
  release(fd) {
    try {
      fs.closeSync(fd);
    } catch {
      // Nothing can be lost with it.
    }
  },
  fstat: (fd) => fs.fstatSync(fd, { bigint: true }),
  lstat: (path) => lstat(path, { bigint: true }),
  lookAgain: (path) => fs.lstatSync(path, { bigint: true }),
  read: async (fd, buffer, position) => (await read(fd, buffer, 0, buffer.byteLength, position)).bytesRead,
  write: async (fd, bytes) => (await write(fd, bytes, 0, bytes.byteLength, null)).bytesWritten,
  fchmod: promisify(fs.fchmod),
  fchown: promisify(fs.fchown),
  futimes: promisify(fs.futimes),
  fsync: promisify(fs.fsync),
  rename: promisify(fs.rename),
  link: promisify(fs.link),
  symlink: (target, created) => promisify(fs.symlink)(target, created),
  readDescriptorLink: (path) => fs.readlinkSync(path, "utf8"),
  readlink: (path) => promisify(fs.readlink)(path, "utf8"),
  access: (path, mode) => promisify(fs.access)(path, mode),
  unlink: promisify(fs.unlink),
  mkdir: async (path, mode) => {
    await promisify(fs.mkdir)(path, mode);
  },
  rmdir: (path) => promisify(fs.rmdir)(path),
  readdir: (path) => readdir(path, { encoding: "buffer" }),
  stream: (fd, { start, length }) =>
    // An empty range has no last byte to name.
    fs.createReadStream("", { fd, start, end: Math.max(start + length - 1, start), highWaterMark: 256 * 1024 }),
};
