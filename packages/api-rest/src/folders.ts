import { access, constants, mkdir, stat } from "node:fs/promises";
import type { Config } from "./env.ts";
import { StartError } from "./start-error.ts";

/** Makes the data directory, and the vault where it lies in it. Throws {@link StartError} where one of them cannot be used. */
export async function prepareFolders({ dataDir, vaultPath }: Pick<Config, "dataDir" | "vaultPath">): Promise<void> {
  await usable("DATA_DIR", dataDir, () => mkdir(dataDir, { recursive: true, mode: 0o700 }));
  if (vaultPath.startsWith(dataDir)) await usable("VAULT_PATH", vaultPath, () => mkdir(vaultPath, { recursive: true }));
  // A vault that is missing may be a disk that is mounted later.
  const vault = await stat(vaultPath).catch(() => null);
  if (vault?.isDirectory() === false) throw new StartError(`VAULT_PATH: ${vaultPath} is not a directory.`);
}

async function usable(setting: string, path: string, make: () => Promise<unknown>): Promise<void> {
  try {
    await make();
    // One that was there already may belong to somebody else.
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${setting}: the directory ${path} cannot be used (${reason}).`, { cause: error });
  }
}
