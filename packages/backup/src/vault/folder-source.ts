import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listFolder } from "./list-folder.ts";
import { identityOf, readFileInto } from "./read-file.ts";
import type { VaultSource } from "./read-vault.ts";

/** The files of a vault in a folder. */
export function createFolderSource(root: string): VaultSource {
  return {
    list: () => listFolder(root),
    identityOf: async (path) => identityOf(await lstat(join(root, path), { bigint: true })),
    readInto: (path, options) => readFileInto(root, path, options),
  };
}
