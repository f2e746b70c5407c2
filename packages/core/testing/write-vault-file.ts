import type { FileStat } from "../src/knowledge/vault/file-stat.ts";
import type { FileContent } from "../src/knowledge/vault/new-file.ts";
import type { VaultFiles } from "../src/knowledge/vault/vault-files.ts";
import type { VaultPath } from "../src/knowledge/vault/vault-path.ts";

/** Stages and commits a file in one step. */
export async function writeVaultFile(
  files: VaultFiles,
  path: VaultPath,
  content: FileContent,
  { expected, keepAt = null }: { expected: FileStat | null; keepAt?: string | null },
): Promise<FileStat> {
  const slot = await files.openSlot(path, { create: expected === null });
  try {
    await slot.stat();
    const stat = await slot.stage(content, expected);
    await slot.commit({ expected, keepAt });
    return stat;
  } finally {
    await slot.release();
  }
}
