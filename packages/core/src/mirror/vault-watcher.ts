import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { isVaultName, isWithin, parentOf, type VaultPath } from "../vault/vault-path.ts";

export interface VaultWatcherOptions {
  readonly rootPath: string;
  /** Something may have changed in a directory; null where it is not known what. */
  readonly onChange: (directory: VaultPath, name: string | null) => void;
  /** A directory cannot be watched, for example because the system allows no more; changes in it stay unseen. */
  readonly onError: (directory: VaultPath, error: unknown) => void;
}

export type VaultWatcher = ReturnType<typeof createVaultWatcher>;

/**
 * Watches directories, each by itself, and says where to look. It does not say what happened: events get lost when there are
 * many, and the disk knows better. One watch per directory, not per file, keeps 20,000 files at a few megabytes.
 */
export function createVaultWatcher({ rootPath, onChange, onError }: VaultWatcherOptions) {
  const watchers = new Map<VaultPath, FSWatcher>();

  function unwatch(directory: VaultPath): void {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  }

  return {
    /** Idempotent. To be called before the directory is read, so that nothing is missed in between. */
    watch(directory: VaultPath): void {
      if (watchers.has(directory)) return;
      try {
        const watcher = watch(join(rootPath, directory), { persistent: false, encoding: "utf8" }, (_event, name) => {
          if (name === null || isVaultName(name)) onChange(directory, name);
        });
        watcher.on("error", (error) => {
          unwatch(directory);
          onError(directory, error);
        });
        watchers.set(directory, watcher);
      } catch (error) {
        onError(directory, error);
      }
    },

    /** Ends the watch of a directory that is gone, and of all below it. */
    unwatchTree(tree: VaultPath): void {
      for (const directory of watchers.keys()) if (isWithin(directory, tree)) unwatch(directory);
    },

    /** Ends the watch of every directory but these. */
    retain(directories: ReadonlySet<VaultPath>): void {
      for (const directory of watchers.keys()) if (!directories.has(directory)) unwatch(directory);
    },

    /** The watched directories directly in another. */
    watchedChildren: (parent: VaultPath): VaultPath[] =>
      [...watchers.keys()].filter((directory) => directory !== parent && parentOf(directory) === parent),

    isWatching: (directory: VaultPath): boolean => watchers.has(directory),

    close(): void {
      for (const directory of watchers.keys()) unwatch(directory);
    },
  };
}
