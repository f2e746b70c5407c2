import { NotFoundError } from "../platform/errors.ts";
import { LinkRefusedError } from "../vault/file-error.ts";
import { isSameDirectory, type FileStat } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import type { VaultPath } from "../vault/vault-path.ts";
import type { DirtySnapshot } from "./dirty-paths.ts";
import type { FoundFile } from "./mirrored-file.ts";
import type { VaultWatcher } from "./vault-watcher.ts";

/** What is to be known about the places where something may have changed. */
export interface DirtyLook {
  readonly found: FoundFile[];
  /** Paths without a file. */
  readonly absent: VaultPath[];
  /** Directories that are gone with all that was below them, also where another one is in their place. */
  readonly absentTrees: VaultPath[];
  /** Directories that were read as a whole. */
  readonly readDirectories: VaultPath[];
  /** Directories that nobody has looked into yet. */
  readonly newDirectories: VaultPath[];
}

/** Looks at the places that a watcher reported. Directories that are gone are no longer watched afterwards. */
export async function lookAtDirty(
  { directories, paths }: DirtySnapshot,
  { files, watcher }: { files: VaultFiles; watcher: VaultWatcher },
): Promise<DirtyLook> {
  const look: DirtyLook = { found: [], absent: [], absentTrees: [], readDirectories: [], newDirectories: [] };
  const noteGone = (path: VaultPath): void => {
    look.absentTrees.push(path);
    watcher.unwatchTree(path);
  };
  const noteDirectory = (path: VaultPath, stat: FileStat): void => {
    const watched = watcher.find(path);
    if (watched !== undefined && isSameDirectory(watched, stat)) return;
    if (watched !== undefined) noteGone(path);
    look.newDirectories.push(path);
  };
  const noteAbsent = (path: VaultPath): void => {
    look.absent.push(path);
    if (watcher.find(path) !== undefined) noteGone(path);
  };

  for (const directory of directories) {
    const entries = await readIfThere(directory);
    if (entries === null) {
      noteAbsent(directory);
      continue;
    }
    look.readDirectories.push(directory);
    const present = new Map<VaultPath, FileStat>();
    for (const { path, stat } of entries) {
      if (stat.kind === "file") look.found.push({ path, stat });
      else present.set(path, stat);
    }
    for (const [path, stat] of present) noteDirectory(path, stat);
    for (const path of watcher.watchedChildren(directory)) if (!present.has(path)) noteAbsent(path);
  }

  const stats = await files.statAll(paths);
  for (const [index, path] of paths.entries()) {
    const stat = stats[index] ?? null;
    if (stat?.kind === "directory") noteDirectory(path, stat);
    else noteFile(path, stat);
  }
  return look;

  function noteFile(path: VaultPath, stat: FoundFile["stat"] | null): void {
    if (stat?.kind === "file") look.found.push({ path, stat });
    else noteAbsent(path);
  }

  async function readIfThere(directory: VaultPath) {
    try {
      return (await files.readDirectory(directory, (opened) => watcher.watch(directory, opened))).entries;
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof LinkRefusedError) return null;
      throw error;
    }
  }
}
