import type { VaultPath } from "../vault/vault-path.ts";
import type { FileState } from "./file-state.ts";

const MAX_FILES = 2_000;

/**
 * Caches the state of recently written files, so that the next write to one need not read the file that it replaces. Callers
 * check every time whether the file on disk is still the same.
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
