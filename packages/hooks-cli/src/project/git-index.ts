import { join, relative } from "node:path";
import { readIfExists, statIfExists } from "../files/atomic-file.ts";
import { isBelow } from "../policy/file-location.ts";
import { findRepository } from "./project.ts";

/** That of a repository with some 80,000 files. */
const MAX_INDEX_BYTES = 8 * 1024 * 1024;
const HEADER_BYTES = 12;
/** The fields of an entry before its path, the last two bytes of which are its flags. */
const ENTRY_BYTES = 62;
const EXTENDED_FLAG = 0x4000;

/**
 * The files that git tracks in a directory, from there, as its index lists them; none if there is no repository, or it has an
 * index of another format. Starting git would take longer than reading it.
 */
export function trackedFiles(directory: string): readonly string[] {
  try {
    const repository = findRepository(directory);
    const path = join(repository?.gitDir ?? directory, "index");
    if (repository === undefined || (statIfExists(path)?.size ?? 0) > MAX_INDEX_BYTES) return [];
    const tracked = readPaths(readIfExists(path) ?? Buffer.alloc(0)).map((name) => join(repository.root, name));
    return tracked.filter((name) => isBelow(name, directory)).map((name) => relative(directory, name));
  } catch {
    return [];
  }
}

/** Entries of versions 2 and 3 are padded with zeros to a multiple of eight bytes. */
function readPaths(index: Buffer): string[] {
  if (index.length < HEADER_BYTES || index.toString("latin1", 0, 4) !== "DIRC") return [];
  const version = index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return [];
  const paths: string[] = [];
  let offset = HEADER_BYTES;
  for (let count = index.readUInt32BE(8); count > 0; count -= 1) {
    const isExtended = (index.readUInt16BE(offset + ENTRY_BYTES - 2) & EXTENDED_FLAG) !== 0;
    const start = offset + ENTRY_BYTES + (isExtended ? 2 : 0);
    const end = index.indexOf(0, start);
    if (end === -1) break;
    paths.push(index.toString("utf8", start, end));
    offset += Math.ceil((end - offset + 1) / 8) * 8;
  }
  return paths;
}
