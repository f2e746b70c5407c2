import { isSameDirectory } from "../vault/file-stat.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { nameOf, parentOf, VAULT_ROOT } from "../vault/vault-path.ts";
import type { DirtyPlace } from "./dirty-paths.ts";
import type { VaultWatcher } from "./vault-watcher.ts";

/**
 * Finds directories that have changed since they were last read, whether or not the change was reported. This is cheap,
 * because it only stats directories, yet it misses no file that was added, removed or renamed.
 */
export async function findUnreportedChanges(watcher: VaultWatcher, files: VaultFiles): Promise<DirtyPlace[]> {
  const subdirectories = watcher.directories().filter((path) => path !== VAULT_ROOT);
  const stats = await files.statAll(subdirectories);
  const unreported: DirtyPlace[] = [];
  for (const [index, path] of subdirectories.entries()) {
    const [known, stat] = [watcher.find(path), stats[index] ?? null];
    if (known === undefined) continue;
    if (stat === null || !isSameDirectory(known, stat)) {
      unreported.push({ directory: parentOf(path), name: nameOf(path) });
    } else if (stat.mtimeNs !== known.mtimeNs) {
      unreported.push({ directory: path, name: null });
    }
  }
  const [knownRoot, root] = [watcher.find(VAULT_ROOT), await files.stat(VAULT_ROOT)];
  if (root?.mtimeNs !== knownRoot?.mtimeNs) unreported.push({ directory: VAULT_ROOT, name: null });
  return unreported;
}
