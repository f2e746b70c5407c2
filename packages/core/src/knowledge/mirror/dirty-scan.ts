import { NotFoundError } from "../../platform/errors.ts";
import { LinkRefusedError } from "../vault/file-error.ts";
import { isSameDirectory, type FileStat } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { VaultEntry } from "../vault/vault-reader.ts";
import type { DirtySnapshot } from "./dirty-paths.ts";
import type { FoundFile } from "./mirrored-file.ts";
import type { VaultWatcher } from "./vault-watcher.ts";

/** The current state of the places where something may have changed. */
export interface DirtyScan {
  readonly found: FoundFile[];
  /** Paths without a file. */
  readonly missing: VaultPath[];
  /** Directories that are missing with everything below them, even if another one has taken their place. */
  readonly missingTrees: VaultPath[];
  /** Directories that were read completely. */
  readonly readDirectories: VaultPath[];
  /** Directories to be read with everything below them: new ones, and those that were reported themselves. */
  readonly newDirectories: VaultPath[];
}

/** Scans the places that the watcher has reported. Missing directories are no longer watched afterwards. */
export async function scanDirty(
  { directories, paths }: DirtySnapshot,
  { files, watcher }: { files: VaultFiles; watcher: VaultWatcher },
): Promise<DirtyScan> {
  const scan: DirtyScan = { found: [], missing: [], missingTrees: [], readDirectories: [], newDirectories: [] };

  function addMissingTree(path: VaultPath): void {
    scan.missingTrees.push(path);
    watcher.unwatchTree(path);
  }

  function addMissing(path: VaultPath): void {
    scan.missing.push(path);
    if (watcher.find(path) !== undefined) addMissingTree(path);
  }

  function isWatched(path: VaultPath, stat: FileStat): boolean {
    const watched = watcher.find(path);
    return watched !== undefined && isSameDirectory(watched, stat);
  }

  function addDirectory(path: VaultPath, stat: FileStat): void {
    if (watcher.find(path) !== undefined && !isWatched(path, stat)) addMissingTree(path);
    scan.newDirectories.push(path);
  }

  for (const directory of directories) {
    const entries = await readIfPresent(directory, files, watcher);
    if (entries === null) {
      addMissing(directory);
      continue;
    }
    scan.readDirectories.push(directory);
    const subdirectories = new Map<VaultPath, FileStat>();
    for (const { path, stat } of entries) {
      if (stat.kind === "file") scan.found.push({ path, stat });
      else subdirectories.set(path, stat);
    }
    for (const [path, stat] of subdirectories) if (!isWatched(path, stat)) addDirectory(path, stat);
    for (const path of watcher.watchedChildren(directory)) if (!subdirectories.has(path)) addMissing(path);
  }

  const stats = await files.statAll(paths);
  for (const [index, path] of paths.entries()) {
    const stat = stats[index] ?? null;
    // Even one that is watched already: it may have been away and back, and what was below it was looked for in between.
    if (stat?.kind === "directory") addDirectory(path, stat);
    else if (stat?.kind === "file") scan.found.push({ path, stat });
    else addMissing(path);
  }
  return scan;
}

async function readIfPresent(
  directory: VaultPath,
  files: VaultFiles,
  watcher: VaultWatcher,
): Promise<VaultEntry[] | null> {
  try {
    return (await files.readDirectory(directory, (opened) => watcher.watch(directory, opened))).entries;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof LinkRefusedError) return null;
    throw error;
  }
}
