import { isUtf8 } from "node:buffer";
import { ConflictError, InvalidInputError, NotFoundError, UnavailableError } from "../platform/errors.ts";
import { mapConcurrently } from "../platform/map-concurrently.ts";
import { createDirectoryOpener, VaultMissingError, type Directory } from "./directory.ts";
import { LinkRefusedError, systemErrorCode, withFileErrors } from "./file-error.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import { moveEntry } from "./move-entry.ts";
import { createFileSlot, type FileSlot } from "./file-slot.ts";
import { assertRegular, openRegularFile, type OpenFile } from "./regular-file.ts";
import {
  childOf,
  isVaultName,
  isWithin,
  nameOf,
  parentOf,
  temporaryName,
  VAULT_ROOT,
  writerOfTemporary,
  type VaultPath,
} from "./vault-path.ts";

/** How many entries of a directory are looked at at a time. */
const CONCURRENT_LOOKS = 32;

/** What tells one directory on the machine from another. */
export type RootIdentity = Pick<FileStat, "device" | "inode">;

/** A file or directory of the vault. */
export interface VaultEntry {
  readonly name: string;
  readonly path: VaultPath;
  readonly stat: FileStat;
}

export interface DirectoryContent {
  /** Files and directories, in no order. Links, devices and hidden names are left out. */
  readonly entries: VaultEntry[];
  /** Files that a write left unfinished: the process that wrote them, and their names. */
  readonly leftovers: { readonly writerId: string; readonly name: string }[];
}

/** A directory that is being read. */
export interface OpenedDirectory {
  /** Leads to this very directory, whatever is at its path, as long as it is open. */
  readonly entryPath: string;
  readonly stat: FileStat;
}

export interface VaultFilesOptions {
  readonly rootPath: string;
  readonly calls: FileSystemCalls;
  /** Tells the unfinished files of this process from those of others. A UUID. */
  readonly writerId: string;
}

export type VaultFiles = ReturnType<typeof createVaultFiles>;

/**
 * The files of the vault: the only way to them. No method ever follows a link, opens anything but regular files and
 * directories, or leaves a file half written. Failures are domain errors with the status that the contract gives them, and
 * UnavailableError where the vault's root is missing; what the disk itself fails at stays a system error.
 */
export function createVaultFiles({ rootPath, calls, writerId }: VaultFilesOptions) {
  let expectedRoot: RootIdentity | null = null;
  let refusal: string | null = null;
  let closedFor: string | null = null;
  const directories = createDirectoryOpener(calls, rootPath, (root) => {
    if (closedFor !== null) throw new VaultMissingError(closedFor);
    if (expectedRoot === null || isSameRoot(expectedRoot, root)) return;
    throw new VaultMissingError("Another directory is in the place of the vault. Is its disk mounted?");
  });
  let lastWrite = 0;
  const newTemporaryName = () => temporaryName(writerId, String((lastWrite += 1)));

  const inDirectory = <Result>(
    path: VaultPath,
    work: (directory: Directory) => Promise<Result>,
    options?: { create?: boolean },
  ): Promise<Result> =>
    withFileErrors(async () => {
      const directory = await directories.open(path, options);
      try {
        return await work(directory);
      } finally {
        directory.release();
      }
    });

  async function stat(path: VaultPath): Promise<FileStat | null> {
    if (path === VAULT_ROOT) return inDirectory(path, (root) => statEntry(calls, root, "."));
    try {
      return await inDirectory(parentOf(path), (directory) => statEntry(calls, directory, nameOf(path)));
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  async function statInside(directory: VaultPath, names: readonly string[]): Promise<(FileStat | null)[]> {
    try {
      return await inDirectory(directory, (open) =>
        mapConcurrently(names, CONCURRENT_LOOKS, (name) => statEntry(calls, open, name)),
      );
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof LinkRefusedError) return [];
      throw error;
    }
  }

  const assertWritable = (): void => {
    const reason = closedFor ?? refusal;
    if (reason !== null) throw new UnavailableError(reason);
  };

  return {
    rootPath,
    writerId,

    /**
     * From now on, only this directory is taken for the vault's root: what is found under its path when its disk is not
     * mounted must be neither read nor written to. Null takes any.
     */
    expectRoot(identity: RootIdentity | null): void {
      expectedRoot = identity;
    },

    /** While there is a reason to, nothing is read or changed: everything throws UnavailableError with it. */
    close(reason: string | null): void {
      closedFor = reason;
    },

    /** While there is a reason to, nothing is changed: every change throws UnavailableError with it. */
    refuseChanges(reason: string | null): void {
      refusal = reason;
    },

    /**
     * For the parts of this folder that make system calls of their own: runs `work` in an open directory, which is released
     * afterwards. Failures become what callers may be told.
     */
    inDirectory,

    /** As {@link inDirectory}, but the caller releases the directory. */
    openDirectory: (path: VaultPath, options?: { create?: boolean }): Promise<Directory> =>
      withFileErrors(() => directories.open(path, options)),

    /** What is at a path; null where nothing is. A link is reported as one. */
    stat,

    /**
     * What is at each of many paths, looked at some at a time; each directory is opened once. Behind a link, where
     * {@link stat} throws, there is nothing.
     */
    async statAll(paths: readonly VaultPath[]): Promise<(FileStat | null)[]> {
      const byDirectory = new Map<VaultPath, VaultPath[]>();
      for (const path of paths) {
        const siblings = byDirectory.get(parentOf(path));
        if (siblings === undefined) byDirectory.set(parentOf(path), [path]);
        else siblings.push(path);
      }
      const stats = new Map<VaultPath, FileStat | null>();
      for (const [directory, siblings] of byDirectory) {
        const found = await statInside(directory, siblings.map(nameOf));
        for (const [index, path] of siblings.entries()) stats.set(path, found[index] ?? null);
      }
      return paths.map((path) => stats.get(path) ?? null);
    },

    /** The caller releases it. */
    async openFile(path: VaultPath): Promise<OpenFile> {
      if (path === VAULT_ROOT) throw new InvalidInputError("The path is a directory.");
      return inDirectory(parentOf(path), (directory) => openRegularFile(calls, directory, nameOf(path)));
    },

    /** Throws NotFoundError where there is no directory. `onOpened` is told of the directory before it is read. */
    async readDirectory(path: VaultPath, onOpened?: (opened: OpenedDirectory) => void): Promise<DirectoryContent> {
      return inDirectory(path, async (directory) => {
        onOpened?.({ entryPath: directory.entry("."), stat: await directory.stat() });
        return readDirectory(calls, directory, path);
      });
    },

    /**
     * Opens the place of a file for writing. Throws NotFoundError where its directory is missing, unless `create` makes it.
     * The caller releases it.
     */
    async openSlot(path: VaultPath, options: { readonly create: boolean }): Promise<FileSlot> {
      assertWritable();
      if (path === VAULT_ROOT) throw new InvalidInputError("The path is a directory.");
      const directory = await withFileErrors(() => directories.open(parentOf(path), options));
      const temporaryNames = { staged: newTemporaryName(), backup: newTemporaryName() };
      return createFileSlot({ calls, directory, name: nameOf(path), temporaryNames });
    },

    /** Makes a directory and those above it. Throws ConflictError where something is at the path already. */
    async createDirectory(path: VaultPath): Promise<void> {
      assertWritable();
      if (path === VAULT_ROOT) throw new ConflictError("The vault itself exists already.");
      await inDirectory(
        parentOf(path),
        async (parent) => {
          await calls.mkdir(parent.entry(nameOf(path)), 0o777);
          await parent.sync();
        },
        { create: true },
      );
    },

    /**
     * Moves a file or directory to a path that is free, durably; missing directories above it are made. Throws
     * InvalidInputError for the root and for a directory that would move into itself, NotFoundError and ConflictError.
     */
    async move(from: VaultPath, to: VaultPath): Promise<void> {
      assertWritable();
      assertMovable(from, to);
      await inDirectory(parentOf(from), async (source) => {
        await requireEntry(calls, source, nameOf(from));
        await inDirectory(
          parentOf(to),
          (target) =>
            moveEntry({
              calls,
              from: { directory: source, name: nameOf(from) },
              to: { directory: target, name: nameOf(to) },
              temporaryName: newTemporaryName(),
            }),
          { create: true },
        );
      });
    },

    /** Removes a file that a write left unfinished. */
    async removeLeftover(directory: VaultPath, name: string): Promise<void> {
      if (writerOfTemporary(name) === null) throw new Error(`not an unfinished file: ${name}`);
      await inDirectory(directory, (open) => calls.unlink(open.entry(name)));
    },
  };
}

async function readDirectory(calls: FileSystemCalls, directory: Directory, path: VaultPath): Promise<DirectoryContent> {
  const content: DirectoryContent = { entries: [], leftovers: [] };
  const names: string[] = [];
  for (const bytes of await calls.readdir(directory.entry("."))) {
    // A name that is not UTF-8 cannot appear in JSON, so it could not be addressed.
    if (!isUtf8(bytes)) continue;
    const name = bytes.toString("utf8");
    const writerId = writerOfTemporary(name);
    if (writerId !== null) content.leftovers.push({ writerId, name });
    else if (isVaultName(name)) names.push(name);
  }
  const stats = await mapConcurrently(names, CONCURRENT_LOOKS, (name) => statEntry(calls, directory, name));
  for (const [index, name] of names.entries()) {
    const stat = stats[index];
    if (stat?.kind === "file" || stat?.kind === "directory") {
      content.entries.push({ name, path: childOf(path, name), stat });
    }
  }
  return content;
}

async function statEntry(calls: FileSystemCalls, directory: Directory, name: string): Promise<FileStat | null> {
  try {
    return toFileStat(await calls.lstat(directory.entry(name)));
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Links and special files are refused before anything changes. */
async function requireEntry(calls: FileSystemCalls, directory: Directory, name: string): Promise<void> {
  const stat = toFileStat(await calls.lstat(directory.entry(name)));
  if (stat.kind !== "directory") assertRegular(stat);
}

function assertMovable(from: VaultPath, to: VaultPath): void {
  if (from === VAULT_ROOT) throw rootRefused();
  if (to === VAULT_ROOT || from === to) throw new ConflictError("Something is at the new path already.");
  if (isWithin(to, from)) throw new InvalidInputError("A directory cannot be moved into itself.");
}

export function isSameRoot(one: RootIdentity, other: RootIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
}

function rootRefused(): InvalidInputError {
  return new InvalidInputError("The vault itself cannot be deleted, renamed or moved.");
}
