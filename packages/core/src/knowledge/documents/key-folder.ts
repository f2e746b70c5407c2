import { ForbiddenError } from "../../platform/errors.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { isWithin, parseVaultPath, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";

/** The folder to which a caller's access to the vault is limited; the root if it is not. */
export function folderOf(principal: Principal): VaultPath {
  return principal.kind === "api_key" && principal.folder !== undefined ? parseVaultPath(principal.folder) : VAULT_ROOT;
}

/** A folder in the form in which keys have it; null for the root. Throws like `parseVaultPath`. */
export function parseKeyFolder(folder: string): VaultPath | null {
  const parsed = parseVaultPath(folder, "folder");
  return parsed === VAULT_ROOT ? null : parsed;
}

/**
 * Parses the path of a file for a caller. Throws like `parseVaultPath`, and {@link ForbiddenError} if it is not below the folder to
 * which the caller's access is limited, whether there is anything or not.
 */
export function parsePathFor(principal: Principal, path: string, field = "path"): VaultPath {
  const parsed = parseVaultPath(path, field);
  const folder = folderOf(principal);
  if (folder === VAULT_ROOT || (isWithin(parsed, folder) && parsed !== folder)) return parsed;
  throw new ForbiddenError(`${field}: this API key has access to the folder ${folder} only`);
}
