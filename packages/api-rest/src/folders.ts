import { access, constants, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { makeDirectory } from "@workspace/db";
import { isInStore } from "@workspace/object-store";
import type { Logger } from "pino";
import type { Config } from "./env.ts";
import { StartError } from "./start-error.ts";

/** The embedded database's folder in the data directory. */
const DATABASE_FOLDER = "postgres";

/**
 * Creates the data directory, and the vault if it is inside it. Throws {@link StartError} if one of them cannot be used, or if
 * the keys or the database would be inside the vault, where they would become documents.
 */
export async function prepareFolders({ dataDir, vaultPath }: Pick<Config, "dataDir" | "vaultPath">): Promise<void> {
  if (isInStore(vaultPath)) return assertUsable("DATA_DIR", dataDir, () => makeDirectory(dataDir, { mode: 0o700 }));
  const [realDataDir, realVault] = await Promise.all([toRealPath(dataDir), toRealPath(vaultPath)]);
  if (isWithin(realVault, realDataDir)) {
    throw new StartError(
      `VAULT_PATH: ${vaultPath} contains DATA_DIR (${dataDir}), so keys and database files would become documents. ` +
        "Use another folder, for example one inside DATA_DIR.",
    );
  }
  if (isWithin(join(realDataDir, DATABASE_FOLDER), realVault)) {
    throw new StartError(`VAULT_PATH: ${vaultPath} is inside the database's folder. Use another one.`);
  }
  const vault = await stat(vaultPath).catch(() => null);
  if (vault?.isDirectory() === false) throw new StartError(`VAULT_PATH: ${vaultPath} is not a directory.`);
  await assertUsable("DATA_DIR", dataDir, () => makeDirectory(dataDir, { mode: 0o700 }));
  if (isWithin(realDataDir, realVault)) {
    await assertUsable("VAULT_PATH", vaultPath, () => makeDirectory(vaultPath));
  }
}

/** Logs a warning if the vault is missing, for example because its disk is not mounted yet. */
export async function warnOfMissingVault(vaultPath: string, logger: Pick<Logger, "warn">): Promise<void> {
  if (isInStore(vaultPath) || (await stat(vaultPath).catch(() => null)) !== null) return;
  logger.warn(
    `There is no vault at ${vaultPath} (VAULT_PATH). Create the folder or mount its disk; it is used as soon as it exists.`,
  );
}

async function assertUsable(setting: string, path: string, create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
    // An existing directory may belong to another user.
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${setting}: the directory ${path} cannot be used (${reason}).`, { cause: error });
  }
}

/** The path with symbolic links resolved, as far as it exists. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await toRealPath(parent), basename(path));
  }
}

/** Whether a path is the directory or inside it. */
function isWithin(directory: string, path: string): boolean {
  const route = relative(directory, path);
  return route !== ".." && !route.startsWith(`..${sep}`);
}
