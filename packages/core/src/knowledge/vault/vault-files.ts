import type { FileSlot } from "./file-slot.ts";
import type { FileStat } from "./file-stat.ts";
import type { OpenFile } from "./regular-file.ts";
import type { RootIdentity } from "./vault-access.ts";
import type { VaultPath } from "./vault-path.ts";
import type { DirectoryContent, OpenedDirectory, VaultEntry } from "./vault-reader.ts";

/** A move of files whose documents have yet to be recorded at their new paths. One of the two is called. */
export interface MadeMove {
  /** They are recorded. */
  finish(): Promise<void>;
  /** It is unknown whether they are: that is left to whoever completes moves. */
  leave(): void;
}

/** Moves that were interrupted, and are complete in the vault. */
export interface CompletedMoves {
  readonly changes: readonly { readonly from: VaultPath; readonly to: VaultPath }[];
  /** To be called once they are recorded; until then they count as unfinished. */
  forget(): Promise<void>;
}

/** The files of the vault, listed all at once. */
export interface VaultListing {
  /** How often to do that. */
  readonly everyMs: number;
  pages(signal: AbortSignal): AsyncIterable<readonly VaultEntry[]>;
}

/**
 * The only way to the files of the vault, wherever it is. No method leaves a file half-written. Errors are domain errors with the
 * status that the contract requires, including UnavailableError if the vault is missing; failures of the disk itself remain system
 * errors.
 */
export interface VaultFiles {
  /** A UUID that distinguishes the unfinished files of this process from those of others. */
  readonly writerId: string;

  /** How to notice changes where nobody reports them; null where directories can be watched. */
  readonly listing: VaultListing | null;

  /** Why the vault must not be used where it is, as a sentence for people; null if it may. Throws if that cannot be found out. */
  findProblem(): Promise<string | null>;

  /** See `createVaultAccess`. */
  expectRoot(identity: RootIdentity | null): void;
  close(reason: string | null): void;
  refuseChanges(reason: string | null): void;

  /** What is at a path; null if nothing is. Links are not followed. */
  stat(path: VaultPath): Promise<FileStat | null>;
  /** What is at each of many paths. Behind a link, where {@link stat} throws, there is nothing. */
  statAll(paths: readonly VaultPath[]): Promise<(FileStat | null)[]>;
  /** The caller releases the file. */
  openFile(path: VaultPath): Promise<OpenFile>;
  /** Throws NotFoundError if there is no such directory. `onOpened` is called once it is open, before it is read. */
  readDirectory(path: VaultPath, onOpened?: (opened: OpenedDirectory) => void): Promise<DirectoryContent>;
  /** All names in a directory, hidden ones included; empty if it does not exist. */
  readNames(path: VaultPath): Promise<string[]>;
  /** Throws unless a directory can be read and written. */
  assertUsable(path: VaultPath): Promise<void>;

  /**
   * Opens the slot of a file for writing. Throws NotFoundError if its directory is missing, unless `create` is set. The caller
   * releases the slot.
   */
  openSlot(path: VaultPath, options: { readonly create: boolean }): Promise<FileSlot>;
  /** Creates a directory and its missing parents. Throws ConflictError if the path is taken. */
  createDirectory(path: VaultPath): Promise<void>;
  /**
   * Moves a file or directory durably to a free path, creating missing parents. Throws InvalidInputError for the root and for
   * moving a directory into itself, NotFoundError and ConflictError.
   */
  move(from: VaultPath, to: VaultPath): Promise<MadeMove>;
  /** Whether a move was interrupted, so that a part of it may be at either path. Only meant with the tree locked, or as a hint. */
  hasUnfinishedMoves(): Promise<boolean>;
  /** Completes moves that were interrupted. To be called with the tree locked. */
  completeMoves(): Promise<CompletedMoves>;
  /** Removes a file or directory for good, with everything in it. */
  removeTree(path: VaultPath): Promise<void>;
  /** Takes a directory out of its parent, so that nobody finds it half removed. {@link removeDiscarded} deletes its bytes. */
  discard(path: VaultPath): Promise<void>;
  /** Deletes the bytes of what was discarded from a directory, including what a crash has left. */
  removeDiscarded(parent: VaultPath): Promise<void>;
  /** Removes a file of an unfinished write. */
  removeLeftover(path: VaultPath, name: string): Promise<void>;
}
