import { watch, type FSWatcher } from "node:fs";
import { isSameDirectory, type FileStat } from "../vault/file-stat.ts";
import { isVaultName, isWithin, nameOf, parentOf, type VaultPath } from "../vault/vault-path.ts";
import type { OpenedDirectory } from "../vault/vault-reader.ts";

/** The name that a file system watcher reports for the watched directory itself if it was opened as this. */
const ITSELF = ".";

export interface VaultWatcherOptions {
  /** Called when something may have changed in a directory; `name` is null if it is unknown what. */
  readonly onChange: (directory: VaultPath, name: string | null) => void;
  /** Called if a directory cannot be watched, for example because of a system limit; its changes go unnoticed. */
  readonly onError: (directory: VaultPath, error: unknown) => void;
}

interface Watched {
  readonly watcher: FSWatcher;
  /** The directory's metadata just before it was last read. */
  stat: FileStat;
}

export type VaultWatcher = ReturnType<typeof createVaultWatcher>;

/**
 * Watches directories individually and reports where something may have changed. It does not report what has changed: events
 * can get lost, and the disk is the source of truth. Watching directories instead of files keeps 20,000 files at a few
 * megabytes.
 *
 * A watch belongs to a directory, not to its path. It is created through an open directory, so that it is certain which one it
 * is for; if another directory is found at the path, that one has to be watched and read again.
 */
export function createVaultWatcher({ onChange, onError }: VaultWatcherOptions) {
  const watched = new Map<VaultPath, Watched>();

  function unwatch(directory: VaultPath): void {
    watched.get(directory)?.watcher.close();
    watched.delete(directory);
  }

  function start(directory: VaultPath, { entryPath, stat }: OpenedDirectory): void {
    const watcher = watch(entryPath, { persistent: false, encoding: "utf8" }, (_event, name) => {
      if (name === ITSELF) onChange(parentOf(directory), nameOf(directory));
      else if (name === null || isVaultName(name)) onChange(directory, name);
    });
    watcher.on("error", (error) => {
      unwatch(directory);
      onError(directory, error);
    });
    watched.set(directory, { watcher, stat });
  }

  return {
    /** Idempotent. To be called while the directory is open and before it is read, so that nothing is missed in between. */
    watch(directory: VaultPath, opened: OpenedDirectory): void {
      const known = watched.get(directory);
      if (known !== undefined && isSameDirectory(known.stat, opened.stat)) {
        known.stat = opened.stat;
        return;
      }
      unwatch(directory);
      try {
        start(directory, opened);
      } catch (error) {
        onError(directory, error);
      }
    },

    /** Stops watching a directory and everything below it. */
    unwatchTree(tree: VaultPath): void {
      for (const directory of watched.keys()) if (isWithin(directory, tree)) unwatch(directory);
    },

    /** Stops watching all directories except these. */
    retain(directories: ReadonlySet<VaultPath>): void {
      for (const directory of watched.keys()) if (!directories.has(directory)) unwatch(directory);
    },

    /** The watched subdirectories of a directory. */
    watchedChildren: (parent: VaultPath): VaultPath[] =>
      [...watched.keys()].filter((directory) => directory !== parent && parentOf(directory) === parent),

    /** The metadata of the directory watched at a path when it was last read; undefined if there is none. */
    find: (directory: VaultPath): FileStat | undefined => watched.get(directory)?.stat,

    directories: (): VaultPath[] => [...watched.keys()],

    close(): void {
      for (const directory of watched.keys()) unwatch(directory);
    },
  };
}
