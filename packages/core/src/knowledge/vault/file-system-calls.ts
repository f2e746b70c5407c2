import fs, { constants, type BigIntStats } from "node:fs";
import type { Readable } from "node:stream";
import { promisify } from "node:util";

/**
 * The system calls that the vault uses, one function each. The vault accesses the disk only through this interface, so that a
 * test can make any single call fail. Calls that may wait for a disk are asynchronous. Those that only query an open
 * descriptor are synchronous: they never block, and a round trip to a worker thread would cost ten times as much.
 */
export interface FileSystemCalls {
  open(path: string, flags: number, mode?: number): Promise<number>;
  /** Closes a descriptor that has no unsynced writes. Never fails. */
  release(fd: number): void;
  fstat(fd: number): BigIntStats;
  lstat(path: string): Promise<BigIntStats>;
  /** For a name that another call has just used, so that the kernel has it cached and the call does not block. */
  lstatSync(path: string): BigIntStats;
  /** Reads from a position up to the size of the buffer, and returns the number of bytes read. */
  read(fd: number, buffer: Uint8Array, position: number): Promise<number>;
  /** Appends some of the bytes and returns how many. */
  write(fd: number, bytes: Uint8Array): Promise<number>;
  fchmod(fd: number, mode: number): Promise<void>;
  fchown(fd: number, uid: number, gid: number): Promise<void>;
  futimes(fd: number, atimeS: number, mtimeS: number): Promise<void>;
  fsync(fd: number): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  link(existing: string, created: string): Promise<void>;
  symlink(target: string, created: string): Promise<void>;
  /** The current path of an open descriptor; never touches the disk. */
  readDescriptorLink(path: string): string;
  readlink(path: string): Promise<string>;
  /** Fails if this process lacks any of the permissions in `mode`, or if the file system is read-only. */
  access(path: string, mode: number): Promise<void>;
  unlink(path: string): Promise<void>;
  mkdir(path: string, mode: number): Promise<void>;
  rmdir(path: string): Promise<void>;
  /** The names in a directory as bytes, because file names need not be valid UTF-8. */
  readdir(path: string): Promise<Buffer[]>;
  /** Streams `length` bytes and closes the descriptor afterwards, even on failure. */
  stream(fd: number, range: { readonly start: number; readonly length: number }): Readable;
}

export const O_PATH = 0o10000000;

/** Makes each write as durable as an `fsync` after it would; 0 on systems that do not guarantee that. */
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
      // There is nothing left to lose.
    }
  },
  fstat: (fd) => fs.fstatSync(fd, { bigint: true }),
  lstat: (path) => lstat(path, { bigint: true }),
  lstatSync: (path) => fs.lstatSync(path, { bigint: true }),
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
    // `end` is inclusive, so an empty range cannot be expressed.
    fs.createReadStream("", { fd, start, end: Math.max(start + length - 1, start), highWaterMark: 256 * 1024 }),
};
