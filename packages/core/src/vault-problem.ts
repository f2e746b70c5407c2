import { createVaultIdentity } from "./knowledge/mirror/vault-identity.ts";
import { readSuspension } from "./knowledge/mirror/mirror-state.ts";
import { nodeFileSystemCalls } from "./knowledge/vault/file-system-calls.ts";
import { openVault, type VaultStore } from "./knowledge/vault/open-vault.ts";
import type { Deps } from "./platform/deps.ts";

export interface VaultProblemOptions extends Deps<"db" | "clock" | "ids" | "logger"> {
  readonly vaultRoot: string;
  /** How the store of the vault is reached; null if it is a folder. */
  readonly vaultStore: VaultStore | null;
  readonly dataDir: string;
  /** Whether a process may be mirroring the vault; then what it has found counts too. */
  readonly isServed: boolean;
}

/** Why the service does not use the vault, or would not, as a sentence for the operator; null if it does. Changes nothing. */
export async function findVaultProblem({ isServed, ...options }: VaultProblemOptions): Promise<string | null> {
  const { db, ids } = options;
  const vault = openVault({ ...options, calls: nodeFileSystemCalls, writerId: ids() });
  const problem = await createVaultIdentity({ ...options, ...vault }).previewProblem();
  return problem ?? (isServed ? readSuspension(db) : null);
}
