import { childOf, type VaultPath } from "../vault/vault-path.ts";

/** From this many changed names on, it is cheaper to read the whole directory. */
const MAX_NAMES = 1_000;

/** One place where something may have changed; `name` is null where that can be anything in the directory. */
export interface DirtyPlace {
  readonly directory: VaultPath;
  readonly name: string | null;
}

/** Where something may have changed. */
export interface DirtySnapshot {
  /** Directories to be read as a whole. */
  readonly directories: VaultPath[];
  /** Single files or directories to be looked at. */
  readonly paths: VaultPath[];
}

export type DirtyPaths = ReturnType<typeof createDirtyPaths>;

/** Collects what a watcher reports, however often, in no more memory than the directories and a few names of each. */
export function createDirtyPaths() {
  let names = new Map<VaultPath, Set<string> | "all">();
  let reports = 0;

  return {
    /** `name` is null where anything in the directory may have changed. */
    add(directory: VaultPath, name: string | null): void {
      reports += 1;
      const known = names.get(directory);
      if (known === "all") return;
      if (name === null || (known?.size ?? 0) >= MAX_NAMES) names.set(directory, "all");
      else if (known === undefined) names.set(directory, new Set([name]));
      else known.add(name);
    },

    get isEmpty(): boolean {
      return names.size === 0;
    },

    /** How many reports there were since the last {@link take}. */
    get reportCount(): number {
      return reports;
    },

    /** Everything collected so far, once. */
    take(): DirtySnapshot {
      const taken = names;
      names = new Map();
      reports = 0;
      const directories: VaultPath[] = [];
      const paths: VaultPath[] = [];
      for (const [directory, dirty] of taken) {
        if (dirty === "all") directories.push(directory);
        else for (const name of dirty) paths.push(childOf(directory, name));
      }
      return { directories, paths };
    },
  };
}
