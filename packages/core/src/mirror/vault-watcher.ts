import { watch, type FSWatcher } from "node:fs";
import { isSameDirectory, type FileStat } from "../vault/file-stat.ts";
import type { OpenedDirectory } from "../vault/vault-files.ts";
import { isVaultName, isWithin, nameOf, parentOf, type VaultPath } from "../vault/vault-path.ts";

/** How a file system watcher names the watched directory itself, when it was opened as this. */
const ITSELF = ".";

export interface VaultWatcherOptions {
  /** Something may have changed in a directory; null where it is not known what. */
  readonly onChange: (directory: VaultPath, name: string | null) => void;
  /** A directory cannot be watched, for example because the system allows no more; changes in it stay unseen. */
  readonly onError: (directory: VaultPath, error: unknown) => void;
}

interface Watched {
  readonly watcher: FSWatcher;
  /** As it was just before it was last read. */
  stat: FileStat;
}

export type VaultWatcher = ReturnType<typeof createVaultWatcher>;

/**
 * Watches directories, each by itself, and says where to look. It does not say what happened: events get lost when there are
 * many, and the disk knows better. One watch per directory, not per file, keeps 20,000 files at a few megabytes.
 *
 * A watch belongs to a directory and not to its path. It is set through an open directory, so that it is known which one it is
 * on; when another one is found at the path, it has to be watched and read anew.
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
    /** Idempotent. To be called when the directory is open and before it is read, so that nothing is missed in between. */
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

    /** Ends the watch of a directory that is gone, and of all below it. */
    unwatchTree(tree: VaultPath): void {
      for (const directory of watched.keys()) if (isWithin(directory, tree)) unwatch(directory);
    },

    /** Ends the watch of every directory but these. */
    retain(directories: ReadonlySet<VaultPath>): void {
      for (const directory of watched.keys()) if (!directories.has(directory)) unwatch(directory);
    },

    /** The watched directories directly in another. */
    watchedChildren: (parent: VaultPath): VaultPath[] =>
      [...watched.keys()].filter((directory) => directory !== parent && parentOf(directory) === parent),

    /** The directory that is watched at a path, as it was when it was last read; undefined where none is. */
    find: (directory: VaultPath): FileStat | undefined => watched.get(directory)?.stat,

    directories: (): VaultPath[] => [...watched.keys()],

    close(): void {
      for (const directory of watched.keys()) unwatch(directory);
    },
  };
}
