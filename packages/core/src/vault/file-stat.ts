import type { BigIntStats } from "node:fs";

export type EntryKind = "file" | "directory" | "link" | "special";

/** What the file system says of an entry. Times are in nanoseconds since the epoch. */
export interface FileStat {
  readonly kind: EntryKind;
  readonly sizeBytes: number;
  readonly mtimeNs: bigint;
  /** 0 where the file system does not keep it. */
  readonly birthtimeNs: bigint;
  readonly inode: bigint;
  readonly device: bigint;
  readonly links: number;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The numbers that are stored are cut to what a database keeps, 64 bits with a sign; they are only ever compared. */
export function toFileStat(stats: BigIntStats): FileStat {
  return {
    kind: kindOf(stats),
    sizeBytes: Number(stats.size),
    mtimeNs: BigInt.asIntN(64, stats.mtimeNs),
    birthtimeNs: BigInt.asIntN(64, stats.birthtimeNs),
    inode: BigInt.asIntN(64, stats.ino),
    device: stats.dev,
    links: Number(stats.nlink),
    mode: Number(stats.mode & 0o7777n),
    uid: Number(stats.uid),
    gid: Number(stats.gid),
  };
}

/** Whether two looks at a path saw the same file with the same content, as far as that can be told without reading. */
export function isSameState(one: FileStat, other: FileStat): boolean {
  return (
    one.inode === other.inode &&
    one.device === other.device &&
    one.sizeBytes === other.sizeBytes &&
    one.mtimeNs === other.mtimeNs
  );
}

/** What tells one directory from another that is at its path later. */
export type DirectoryIdentity = Pick<FileStat, "device" | "inode" | "birthtimeNs">;

/** An inode's number is given out again, so the time of birth counts too, where the file system keeps it. */
export function isSameDirectory(one: DirectoryIdentity, other: DirectoryIdentity): boolean {
  return one.inode === other.inode && one.device === other.device && one.birthtimeNs === other.birthtimeNs;
}

/** Nanoseconds since the epoch as a date, which has milliseconds. A time before the epoch, which no file has, is the epoch. */
export function toDate(timeNs: bigint): Date {
  return new Date(Math.max(Number(timeNs / 1_000_000n), 0));
}

function kindOf(stats: BigIntStats): EntryKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "special";
}
