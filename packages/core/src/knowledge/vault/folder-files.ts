import { createDirectoryOpener } from "./directory.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { createVaultAccess } from "./vault-access.ts";
import type { VaultFiles } from "./vault-files.ts";
import { createVaultReader, type VaultReader } from "./vault-reader.ts";
import { createVaultWriter } from "./vault-writer.ts";

export interface FolderFilesOptions {
  readonly rootPath: string;
  readonly calls: FileSystemCalls;
  /** See {@link VaultFiles}. */
  readonly writerId: string;
}

export type FolderFiles = VaultFiles & Pick<VaultReader, "inDirectory" | "openDirectory">;

/**
 * The files of a vault in a folder. No method ever follows a link, or opens anything but regular files and directories.
 */
export function createFolderFiles({ rootPath, calls, writerId }: FolderFilesOptions): FolderFiles {
  const { assertRoot, assertWritable, ...controls } = createVaultAccess();
  const reader = createVaultReader(calls, createDirectoryOpener(calls, rootPath, assertRoot));
  const writer = createVaultWriter({ calls, reader, writerId, assertWritable });
  return {
    writerId,
    listing: null,
    findProblem: () => Promise.resolve(null),
    // A rename is atomic.
    hasUnfinishedMoves: () => Promise.resolve(false),
    completeMoves: () => Promise.resolve({ changes: [], forget: () => Promise.resolve() }),
    ...controls,
    ...reader,
    ...writer,
  };
}
