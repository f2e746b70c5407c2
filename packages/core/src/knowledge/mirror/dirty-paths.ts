import { childOf, type VaultPath } from "../vault/vault-path.ts";

/** With more changed names than this, reading the whole directory is cheaper. */
const MAX_NAMES = 1_000;

/** A place where something may have changed; `name` is null if that can be anything in the directory. */
export interface DirtyPlace {
  readonly directory: VaultPath;
  readonly name: string | null;
}

/** The places where something may have changed. */
export interface DirtySnapshot {
  /** Directories to read completely. */
  readonly directories: VaultPath[];
  /** Single files or directories to examine. */
  readonly paths: VaultPath[];
}

export type DirtyPaths = ReturnType<typeof createDirtyPaths>;

/** Collects the reports of a watcher. Memory is bounded by the number of directories, with a limited number of names each. */
export function createDirtyPaths() {
  let names = new Map<VaultPath, Set<string> | "all">();
  let reports = 0;

  return {
    /** `name` is null if anything in the directory may have changed. */
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

    /** The number of reports since the last {@link take}. */
    get reportCount(): number {
      return reports;
    },

    /** Returns and clears everything collected so far. */
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
