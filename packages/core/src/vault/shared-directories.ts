import type { Directory } from "./directory.ts";
import type { VaultPath } from "./vault-path.ts";

/** So old may a directory be that is used again, or a disk that was mounted over it would never be noticed. */
const MAX_AGE_MS = 50;

interface Held {
  readonly directory: Directory;
  readonly openedAtMs: number;
  users: number;
  /** Whether somebody opens it anew. Others use it for as long again meanwhile, or all would open it at once. */
  isRenewed: boolean;
}

/**
 * Lets requests that come at the same time use one open directory. Nothing is held for later: the last one to use it closes
 * it, so a disk can be unmounted whenever nothing happens on it.
 */
export function createSharedDirectories() {
  const newest = new Map<VaultPath, Held>();

  const lease = (path: VaultPath, held: Held): Directory => {
    held.users += 1;
    return {
      ...held.directory,
      release() {
        held.users -= 1;
        if (held.users > 0) return;
        if (newest.get(path) === held) newest.delete(path);
        held.directory.release();
      },
    };
  };

  return {
    /** One that is open now and still where it was; undefined where there is none. The caller releases it. */
    async find(path: VaultPath): Promise<Directory | undefined> {
      const held = newest.get(path);
      if (held === undefined) return undefined;
      const ageMs = performance.now() - held.openedAtMs;
      if (ageMs > (held.isRenewed ? 2 : 1) * MAX_AGE_MS) {
        held.isRenewed = true;
        return undefined;
      }
      const directory = lease(path, held);
      if (await directory.isInPlace()) return directory;
      directory.release();
      return undefined;
    },

    /** Takes over a directory that was just opened. The caller releases what it gets for it. */
    share(path: VaultPath, directory: Directory): Directory {
      const held = { directory, openedAtMs: performance.now(), users: 0, isRenewed: false };
      newest.set(path, held);
      return lease(path, held);
    },
  };
}
