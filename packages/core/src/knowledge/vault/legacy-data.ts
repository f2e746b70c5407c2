import { join } from "node:path";
import type { Logger } from "../../platform/logger.ts";
import { pathDirectory, type Directory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import { toFileStat } from "./file-stat.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import type { FolderFiles } from "./folder-files.ts";
import { copyEntry, removeEntry } from "./move-entry.ts";
import { exists, storeCopy } from "./relocate.ts";
import { TRASH_DIRECTORY, VERSIONS_DIRECTORY } from "./service-folder.ts";
import { childOf } from "./vault-path.ts";

const HASH = /^[0-9a-f]{64}$/;
const FOLDER = /^[0-9a-f]{2}$/;

export interface LegacyData {
  readonly calls: FileSystemCalls;
  readonly files: FolderFiles;
  readonly logger: Logger;
  readonly dataDir: string;
}

/**
 * Moves the trash and versions of an earlier release from a process's data directory into the vault. Idempotent, and safe to
 * interrupt anywhere: nothing is removed from the old location before it is complete at the new one. Several processes may
 * migrate their data at the same time. Names that documents refer to do not change.
 */
export async function migrateLegacyData(legacy: LegacyData): Promise<void> {
  const trashCount = await moveTrash(legacy);
  const versionCount = await moveVersions(legacy);
  if (trashCount + versionCount === 0) return;
  legacy.logger.info({ trash: trashCount, versions: versionCount }, "moved trash and versions into the vault");
}

async function moveTrash({ calls, files, dataDir }: LegacyData): Promise<number> {
  const sourcePath = join(dataDir, "trash");
  const names = await namesIn(calls, sourcePath);
  if (names === null) return 0;
  const ids = names.filter((name) => !name.startsWith("."));
  if (ids.length > 0) {
    const source = pathDirectory(calls, sourcePath);
    await files.inDirectory(
      TRASH_DIRECTORY,
      async (target) => {
        for (const name of ids) await moveFolder({ calls, source, target, name });
        await target.sync();
      },
      { create: true },
    );
  }
  await removeIfEmpty(calls, sourcePath);
  return ids.length;
}

interface FolderMove {
  readonly calls: FileSystemCalls;
  readonly source: Directory;
  readonly target: Directory;
  readonly name: string;
}

/** If the target exists, it was moved there in full before a crash. */
async function moveFolder({ calls, source, target, name }: FolderMove): Promise<void> {
  try {
    await calls.rename(source.entry(name), target.entry(name));
    return;
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== "EXDEV" && code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
  if (!(await exists(calls, target.entry(name)))) {
    const copy = { directory: target, name: `.moving-${name}` };
    if (await exists(calls, target.entry(copy.name))) await removeEntry(calls, copy);
    await copyEntry(calls, { directory: source, name }, copy);
    await calls.rename(target.entry(copy.name), target.entry(name));
    await target.sync();
  }
  await removeEntry(calls, { directory: source, name });
}

async function moveVersions({ calls, files, dataDir }: LegacyData): Promise<number> {
  const storePath = join(dataDir, "versions");
  const names = await namesIn(calls, storePath);
  if (names === null) return 0;
  let count = 0;
  for (const name of names.filter((each) => FOLDER.test(each))) {
    const sourcePath = join(storePath, name);
    count += await files.inDirectory(
      childOf(VERSIONS_DIRECTORY, name),
      (target) => moveContents(calls, sourcePath, target),
      { create: true },
    );
    await removeIfEmpty(calls, sourcePath);
  }
  await removeIfEmpty(calls, storePath);
  return count;
}

/** Files with the same name have the same content, so it does not matter which one is kept. */
async function moveContents(calls: FileSystemCalls, sourcePath: string, target: Directory): Promise<number> {
  const names = (await namesIn(calls, sourcePath)) ?? [];
  // Incomplete copies left by a crash; no version refers to them.
  for (const name of names.filter((each) => each.endsWith(".tmp"))) await calls.unlink(join(sourcePath, name));
  const hashes = names.filter((name) => HASH.test(name));
  for (const hash of hashes) await moveContent(calls, join(sourcePath, hash), target.entry(hash));
  if (hashes.length > 0) await target.sync();
  return hashes.length;
}

async function moveContent(calls: FileSystemCalls, from: string, to: string): Promise<void> {
  try {
    await calls.rename(from, to);
  } catch (error) {
    if (systemErrorCode(error) !== "EXDEV") throw error;
    const expected = toFileStat(await calls.lstat(from));
    if (await storeCopy({ calls, from, to, expected })) await calls.unlink(from);
  }
}

/** The names in a directory; null if it does not exist. */
async function namesIn(calls: FileSystemCalls, path: string): Promise<string[] | null> {
  try {
    return (await calls.readdir(path)).map((name) => name.toString("utf8"));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Keeps a directory that contains files that are not the service's. */
async function removeIfEmpty(calls: FileSystemCalls, path: string): Promise<void> {
  try {
    await calls.rmdir(path);
  } catch (error) {
    if (systemErrorCode(error) !== "ENOTEMPTY" && systemErrorCode(error) !== "EEXIST") throw error;
  }
}
