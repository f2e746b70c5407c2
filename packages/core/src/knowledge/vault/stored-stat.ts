import { createHash } from "node:crypto";
import type { StoredObject } from "@workspace/object-store";
import type { FileStat } from "./file-stat.ts";

/** The metadata of an object. Its entity tag takes the place of inode and time. */
export function toStat({ size, etag, modifiedAt }: Pick<StoredObject, "size" | "etag" | "modifiedAt">): FileStat {
  const number = toNumber(etag);
  return {
    ...COMMON,
    kind: "file",
    sizeBytes: size,
    mtimeNs: number,
    inode: number,
    object: { etag, modifiedMs: modifiedAt.getTime() },
  };
}

/** The metadata of what keys begin with; a store knows nothing else of it. */
export function directoryStat(key: string): FileStat {
  return { ...COMMON, kind: "directory", sizeBytes: 0, mtimeNs: 0n, inode: toNumber(key) };
}

const COMMON = { birthtimeNs: 0n, device: 0n, links: 1, mode: 0o644, uid: 0, gid: 0 } as const;

function toNumber(text: string): bigint {
  return createHash("sha256").update(text).digest().readBigInt64BE(0);
}
