import type { BigIntStats } from "node:fs";

export type EntryKind = "file" | "directory" | "link" | "special";

/** An entry's metadata. Times are in nanoseconds since the epoch. Equal inodes and times mean equal content. */
export interface FileStat {
  readonly kind: EntryKind;
  readonly sizeBytes: number;
  readonly mtimeNs: bigint;
  /** 0 if the file system does not record it. */
  readonly birthtimeNs: bigint;
  readonly inode: bigint;
  readonly device: bigint;
  readonly links: number;
  /** Permission bits. */
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  /** Only of an object in a store. */
  readonly object?: {
    readonly etag: string;
    /** In milliseconds since the epoch; `mtimeNs` is derived from the entity tag. */
    readonly modifiedMs: number;
  };
}

/** Numbers that go into the database are truncated to signed 64-bit integers; they are only ever compared for equality. */
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

/** Whether two stats of a path are of the same file with the same content, according to the metadata. */
export function isSameState(one: FileStat, other: FileStat): boolean {
  return (
    one.inode === other.inode &&
    one.device === other.device &&
    one.sizeBytes === other.sizeBytes &&
    one.mtimeNs === other.mtimeNs
  );
}

/** Distinguishes a directory from one that takes its path later. */
export type DirectoryIdentity = Pick<FileStat, "device" | "inode" | "birthtimeNs">;

/** Compares the birth time as well, if the file system records it, because inode numbers are reused. */
export function isSameDirectory(one: DirectoryIdentity, other: DirectoryIdentity): boolean {
  return one.inode === other.inode && one.device === other.device && one.birthtimeNs === other.birthtimeNs;
}

/** Converts nanoseconds since the epoch to a date, in milliseconds. Times before the epoch are clamped to it. */
export function toDate(timeNs: bigint): Date {
  return new Date(Math.max(Number(timeNs / 1_000_000n), 0));
}

/** When the content was changed, in milliseconds. */
export function modifiedAtOf({ object, mtimeNs }: FileStat): Date {
  return object === undefined ? toDate(mtimeNs) : new Date(object.modifiedMs);
}

function kindOf(stats: BigIntStats): EntryKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "special";
}
