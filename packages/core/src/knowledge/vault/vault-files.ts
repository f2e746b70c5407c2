import { createDirectoryOpener } from "./directory.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { createVaultAccess } from "./vault-access.ts";
import { createVaultReader } from "./vault-reader.ts";
import { createVaultWriter } from "./vault-writer.ts";

export interface VaultFilesOptions {
  readonly rootPath: string;
  readonly calls: FileSystemCalls;
  /** A UUID that distinguishes the unfinished files of this process from those of others. */
  readonly writerId: string;
}

export type VaultFiles = ReturnType<typeof createVaultFiles>;

/**
 * The only way to the files of the vault. No method ever follows a link, opens anything but regular files and directories, or
 * leaves a file half-written. Errors are domain errors with the status that the contract requires, including
 * UnavailableError if the vault's root is missing; failures of the disk itself remain system errors.
 */
export function createVaultFiles({ rootPath, calls, writerId }: VaultFilesOptions) {
  const { assertRoot, assertWritable, ...controls } = createVaultAccess();
  const reader = createVaultReader(calls, createDirectoryOpener(calls, rootPath, assertRoot));
  const writer = createVaultWriter({ calls, reader, writerId, assertWritable });
  return { rootPath, writerId, ...controls, ...reader, ...writer };
}
