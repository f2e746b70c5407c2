import type { Db } from "@workspace/db";
import { isSameRoot, type RootIdentity } from "../vault/vault-access.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { VAULT_ROOT } from "../vault/vault-path.ts";
import { selectRecentPaths } from "./mirror.queries.ts";

/** How many recently changed files to look for if all files seem to be missing. */
const SAMPLE_PATHS = 200;
/** Fewer missing files are never suspicious: someone may have deleted them by hand. */
const MIN_SUSPICIOUS = 10;

const HOW_TO_ACCEPT = "If they were deleted on purpose, accept that with POST /api/documents/mirror/accept.";
export const NONE_IS_THERE = `None of the known files is in the vault. ${HOW_TO_ACCEPT}`;
const IS_REPLACED = `Another directory is in the place of the vault, without most of the known files. ${HOW_TO_ACCEPT}`;

/** So many files are missing that the vault itself probably is; no document may be deleted. */
export class VaultEmptiedError extends Error {
  override readonly name = "VaultEmptiedError";
}

/** The numbers of known and of missing files in a vault with this root. */
export interface MissingCount {
  readonly root: RootIdentity;
  readonly known: number;
  readonly missing: number;
}

/** Whether there are known files, and none of those that were changed last is there. */
export async function looksEmptied(db: Db, anyRoot: VaultFiles): Promise<boolean> {
  const paths = await selectRecentPaths(db.pool, SAMPLE_PATHS);
  return paths.length > 0 && (await anyRoot.statAll(paths)).every((stat) => stat === null);
}

/** Distinguishes deleted files from a vault that was emptied, replaced or unmounted. */
export function createEmptiedVaultCheck(db: Db, anyRoot: VaultFiles) {
  let approvedRoot: RootIdentity | null = null;

  return {
    /** Throws {@link VaultEmptiedError} if the root is missing. */
    async readRoot(): Promise<RootIdentity> {
      const stat = await anyRoot.stat(VAULT_ROOT);
      if (stat === null) throw new VaultEmptiedError("The vault's root is gone.");
      return stat;
    },

    /** Accepts this directory as the vault. */
    approve(root: RootIdentity): void {
      approvedRoot = root;
    },

    /** Throws {@link VaultEmptiedError} if so many files are missing that the vault itself must be. */
    async assertNotEmptied({ root, known, missing }: MissingCount): Promise<void> {
      // The counts alone prove nothing: during a comparison, files may have been created that it missed, and documents that it
      // missed may have been deleted.
      if (known > 0 && missing === known && (await looksEmptied(db, anyRoot))) {
        throw new VaultEmptiedError(NONE_IS_THERE);
      }
      const isReplaced = approvedRoot !== null && !isSameRoot(approvedRoot, root);
      if (isReplaced && missing >= MIN_SUSPICIOUS && missing > known / 2) {
        throw new VaultEmptiedError(IS_REPLACED);
      }
    },
  };
}
