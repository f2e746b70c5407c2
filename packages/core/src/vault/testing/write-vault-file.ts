import type { FileStat } from "../file-stat.ts";
import type { FileContent } from "../new-file.ts";
import type { VaultFiles } from "../vault-files.ts";
import type { VaultPath } from "../vault-path.ts";

/** Stages and commits in one go. */
export async function writeVaultFile(
  files: VaultFiles,
  path: VaultPath,
  content: FileContent,
  { expected, keepAt = null }: { expected: FileStat | null; keepAt?: string | null },
): Promise<FileStat> {
  const slot = await files.openSlot(path, { create: expected === null });
  try {
    await slot.look();
    const stat = await slot.stage(content, expected);
    await slot.commit({ expected, keepAt });
    return stat;
  } finally {
    await slot.release();
  }
}
