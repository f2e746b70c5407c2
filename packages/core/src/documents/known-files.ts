import type { VaultPath } from "../vault/vault-path.ts";
import type { FileState } from "./file-state.ts";

const MAX_FILES = 2_000;

/**
 * What the last writes left at their paths, so that the next write of one need not read what it replaces. Whether it is
 * still there, the disk is asked each time.
 */
export function createKnownFiles() {
  const states = new Map<VaultPath, FileState>();

  return {
    get: (path: VaultPath): FileState | null => states.get(path) ?? null,

    set(path: VaultPath, state: FileState): void {
      states.delete(path);
      states.set(path, state);
      const [oldest] = states.keys();
      if (states.size > MAX_FILES && oldest !== undefined) states.delete(oldest);
    },
  };
}
