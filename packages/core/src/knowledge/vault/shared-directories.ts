import type { VaultPath } from "./vault-path.ts";

/** How long an open directory may be reused. Without a limit, a disk mounted over it would never be noticed. */
const MAX_AGE_MS = 50;

/** The part of an open directory that sharing relies on. */
interface OpenDirectory {
  /** Whether it is still where it was opened. */
  isInPlace(): Promise<boolean>;
  release(): void;
}

interface SharedDirectory<Directory> {
  readonly directory: Directory;
  readonly openedAtMs: number;
  users: number;
  /** Set while one user is reopening it. The others keep using it meanwhile, so that not all of them reopen it at once. */
  isBeingReopened: boolean;
}

/**
 * Lets concurrent requests share an open directory. Nothing is kept open for later: the last user closes it, so that a disk
 * can be unmounted whenever it is idle.
 */
export function createSharedDirectories<Directory extends OpenDirectory>() {
  const newest = new Map<VaultPath, SharedDirectory<Directory>>();

  const lease = (path: VaultPath, shared: SharedDirectory<Directory>): Directory => {
    shared.users += 1;
    return {
      ...shared.directory,
      release() {
        shared.users -= 1;
        if (shared.users > 0) return;
        if (newest.get(path) === shared) newest.delete(path);
        shared.directory.release();
      },
    };
  };

  return {
    /** A directory that is currently open and still in place; undefined if there is none. The caller releases it. */
    async find(path: VaultPath): Promise<Directory | undefined> {
      const shared = newest.get(path);
      if (shared === undefined) return undefined;
      const ageMs = performance.now() - shared.openedAtMs;
      if (ageMs > (shared.isBeingReopened ? 2 : 1) * MAX_AGE_MS) {
        shared.isBeingReopened = true;
        return undefined;
      }
      const directory = lease(path, shared);
      if (await directory.isInPlace()) return directory;
      directory.release();
      return undefined;
    },

    /** Takes ownership of a directory that was just opened. The caller releases the one that is returned instead. */
    share(path: VaultPath, directory: Directory): Directory {
      const shared = { directory, openedAtMs: performance.now(), users: 0, isBeingReopened: false };
      newest.set(path, shared);
      return lease(path, shared);
    },
  };
}
