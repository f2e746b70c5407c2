import { DomainError, NotFoundError, UnavailableError } from "../../platform/errors.ts";
import { LinkRefusedError } from "../vault/file-error.ts";
import type { VaultFiles } from "../vault/vault-files.ts";
import { childOf, VAULT_ROOT, type VaultPath } from "../vault/vault-path.ts";
import type { OpenedDirectory } from "../vault/vault-reader.ts";
import type { FoundFile } from "./mirrored-file.ts";

const MAX_CONCURRENT_READS = 4;

export interface WalkedDirectory {
  readonly path: VaultPath;
  readonly files: FoundFile[];
  readonly leftovers: { readonly writerId: string; readonly path: VaultPath }[];
}

export interface WalkOptions {
  readonly files: VaultFiles;
  /** Called with each directory once it is open, before it is read. */
  readonly onDirectory: (path: VaultPath, opened: OpenedDirectory) => void;
  /** Called with each directory that exists but cannot be read, so that its contents are unknown. */
  readonly onUnreadable: (path: VaultPath) => void;
  readonly signal: AbortSignal;
}

/** Reads directories recursively, several at a time; the whole vault from its listing, if it has one. Throws {@link UnavailableError} if the vault is missing. */
export async function* walkVault(roots: readonly VaultPath[], options: WalkOptions): AsyncGenerator<WalkedDirectory> {
  const { files, signal } = options;
  if (files.listing !== null && roots.includes(VAULT_ROOT)) {
    for await (const entries of files.listing.pages(signal)) {
      yield { path: VAULT_ROOT, files: entries.map(({ path, stat }) => ({ path, stat })), leftovers: [] };
    }
    return;
  }
  const queue = [...roots];
  while (queue.length > 0) {
    signal.throwIfAborted();
    const batch = queue.splice(-MAX_CONCURRENT_READS);
    for (const { directory, children } of await Promise.all(batch.map((path) => readOne(path, options)))) {
      queue.push(...children);
      if (directory !== null) yield directory;
    }
  }
}

async function readOne(
  path: VaultPath,
  { files, onDirectory, onUnreadable }: WalkOptions,
): Promise<{ directory: WalkedDirectory | null; children: VaultPath[] }> {
  try {
    const { entries, leftovers } = await files.readDirectory(path, (opened) => onDirectory(path, opened));
    const directory: WalkedDirectory = {
      path,
      files: entries
        .filter(({ stat }) => stat.kind === "file")
        .map((entry) => ({ path: entry.path, stat: entry.stat })),
      leftovers: leftovers.map(({ writerId, name }) => ({ writerId, path: childOf(path, name) })),
    };
    return { directory, children: entries.filter(({ stat }) => stat.kind === "directory").map((entry) => entry.path) };
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    // It has been removed since it was listed, or replaced by a link.
    if (error instanceof NotFoundError || error instanceof LinkRefusedError) return { directory: null, children: [] };
    if (!(error instanceof DomainError) && !isSystemError(error)) throw error;
    onUnreadable(path);
    return { directory: null, children: [] };
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
