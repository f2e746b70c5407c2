import type { PathChange } from "../file-records/link-plan.queries.ts";
import { nameOf, parentOf, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";

/** The changes that take everything back, in reverse order. */
export function reversed(changes: readonly PathChange[]): PathChange[] {
  return changes.map(({ from, to }) => ({ from: to, to: from })).toReversed();
}

/**
 * The changes of folders that amount to the given changes of files, as far as all files that are now in a folder come from the same
 * other one. `filesIn` returns the paths of the files in a folder.
 */
export async function joinIntoFolders(
  changes: readonly PathChange[],
  filesIn: (folder: VaultPath) => Promise<readonly VaultPath[]>,
): Promise<PathChange[]> {
  const left = new Map(changes.map((change) => [change.from, change]));
  const joined: PathChange[] = [];
  for (const change of changes) {
    if (!left.has(change.from)) continue;
    const folder = await largestFolder(change, changes, filesIn);
    if (folder === null) {
      left.delete(change.from);
      joined.push(change);
      continue;
    }
    for (const file of await filesIn(folder.from)) left.delete(file);
    joined.push(folder);
  }
  return joined;
}

/** The change of the outermost folder that explains the change of a file. */
async function largestFolder(
  change: PathChange,
  changes: readonly PathChange[],
  filesIn: (folder: VaultPath) => Promise<readonly VaultPath[]>,
): Promise<PathChange | null> {
  const targets = new Map(changes.map(({ from, to }) => [from, to]));
  let best: PathChange | null = null;
  let { from, to } = change;
  while (nameOf(from) === nameOf(to) && parentOf(from) !== VAULT_ROOT && parentOf(to) !== VAULT_ROOT) {
    [from, to] = [parentOf(from), parentOf(to)];
    if (from === to) break;
    const files = await filesIn(from);
    const [oldRoot, newRoot] = [from, to];
    if (!files.every((file) => targets.get(file) === `${newRoot}${file.slice(oldRoot.length)}`)) break;
    best = { from, to };
  }
  return best;
}
