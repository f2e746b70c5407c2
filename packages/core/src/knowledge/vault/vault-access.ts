import { UnavailableError } from "../../platform/errors.ts";
import { VaultMissingError } from "./directory.ts";
import type { FileStat } from "./file-stat.ts";

/** Identifies a directory on this machine. */
export type RootIdentity = Pick<FileStat, "device" | "inode">;

/** Decides whether the vault may be read and changed at the moment. */
export function createVaultAccess() {
  let expectedRoot: RootIdentity | null = null;
  let closedReason: string | null = null;
  let readOnlyReason: string | null = null;

  return {
    /**
     * Accepts only this directory as the vault's root from now on: if its disk is not mounted, whatever else is found at its
     * path must be neither read nor written to. Null accepts any.
     */
    expectRoot(identity: RootIdentity | null): void {
      expectedRoot = identity;
    },

    /** Makes every call throw UnavailableError with this reason, until called with null. */
    close(reason: string | null): void {
      closedReason = reason;
    },

    /** Makes every change throw UnavailableError with this reason, until called with null. */
    refuseChanges(reason: string | null): void {
      readOnlyReason = reason;
    },

    /** Throws {@link VaultMissingError} if this root must not be used. */
    assertRoot(root: RootIdentity): void {
      if (closedReason !== null) throw new VaultMissingError(closedReason);
      if (expectedRoot === null || isSameRoot(expectedRoot, root)) return;
      throw new VaultMissingError("Another directory is in the place of the vault. Is its disk mounted?");
    },

    /** Throws {@link UnavailableError} if nothing may be changed. */
    assertWritable(): void {
      const reason = closedReason ?? readOnlyReason;
      if (reason !== null) throw new UnavailableError(reason);
    },
  };
}

export function isSameRoot(one: RootIdentity, other: RootIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
}
