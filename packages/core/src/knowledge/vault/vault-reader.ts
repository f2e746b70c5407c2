import { isUtf8 } from "node:buffer";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import type { Directory, DirectoryOpener } from "./directory.ts";
import { LinkRefusedError, systemErrorCode, withFileErrors } from "./file-error.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import { R_OK, W_OK, X_OK, type FileSystemCalls } from "./file-system-calls.ts";
import { openRegularFile, type OpenFile } from "./regular-file.ts";
import { childOf, isVaultName, nameOf, parentOf, VAULT_ROOT, writerOfTemporary, type VaultPath } from "./vault-path.ts";

const MAX_CONCURRENT_STATS = 32;

/** A file or directory in the vault. */
export interface VaultEntry {
  readonly name: string;
  readonly path: VaultPath;
  readonly stat: FileStat;
}

export interface DirectoryContent {
  /** Files and directories, in no particular order. Links, devices and hidden names are left out. */
  readonly entries: VaultEntry[];
  /** Files of unfinished writes, with the process that was writing them. */
  readonly leftovers: { readonly writerId: string; readonly name: string }[];
}

/** A directory that is being read. */
export interface OpenedDirectory {
  /** Refers to this very directory while it is open, even if another one takes its path. */
  readonly entryPath: string;
  readonly stat: FileStat;
}

export type VaultReader = ReturnType<typeof createVaultReader>;

/** The part of `FolderFiles` that reads. */
export function createVaultReader(calls: FileSystemCalls, directories: DirectoryOpener) {
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

  async function statIn(path: VaultPath, names: readonly string[]): Promise<(FileStat | null)[]> {
    try {
      return await inDirectory(path, (directory) =>
        mapConcurrently(names, MAX_CONCURRENT_STATS, (name) => statEntry(calls, directory, name)),
      );
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof LinkRefusedError) return [];
      throw error;
    }
  }

  return {
    /**
     * For code in this folder that makes system calls itself: runs `work` with an open directory and releases it afterwards.
     * System errors are turned into errors for callers.
     */
    inDirectory,

    /** Like {@link inDirectory}, but the caller releases the directory. */
    openDirectory: (path: VaultPath, options?: { create?: boolean }): Promise<Directory> =>
      withFileErrors(() => directories.open(path, options)),

    /** What is at a path; null if nothing is. Links are not followed. */
    stat,

    /**
     * What is at each of many paths; every directory is opened only once. Behind a link, where {@link stat} throws, there is
     * nothing.
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
        const found = await statIn(directory, siblings.map(nameOf));
        for (const [index, path] of siblings.entries()) stats.set(path, found[index] ?? null);
      }
      return paths.map((path) => stats.get(path) ?? null);
    },

    async openFile(path: VaultPath): Promise<OpenFile> {
      if (path === VAULT_ROOT) throw new InvalidInputError("The path is a directory.");
      return inDirectory(parentOf(path), (directory) => openRegularFile(calls, directory, nameOf(path)));
    },

    async readDirectory(path: VaultPath, onOpened?: (opened: OpenedDirectory) => void): Promise<DirectoryContent> {
      return inDirectory(path, async (directory) => {
        onOpened?.({ entryPath: directory.entry("."), stat: await directory.stat() });
        return readContent(calls, directory, path);
      });
    },

    assertUsable: (path: VaultPath): Promise<void> =>
      inDirectory(path, (directory) => calls.access(directory.entry("."), R_OK | W_OK | X_OK)),

    async readNames(path: VaultPath): Promise<string[]> {
      try {
        return await inDirectory(path, async (directory) =>
          (await calls.readdir(directory.entry("."))).map((name) => name.toString("utf8")),
        );
      } catch (error) {
        if (error instanceof NotFoundError) return [];
        throw error;
      }
    },
  };
}

async function readContent(calls: FileSystemCalls, directory: Directory, path: VaultPath): Promise<DirectoryContent> {
  const content: DirectoryContent = { entries: [], leftovers: [] };
  const names: string[] = [];
  for (const bytes of await calls.readdir(directory.entry("."))) {
    // A name that is not UTF-8 cannot be represented in JSON, so no client could address it.
    if (!isUtf8(bytes)) continue;
    const name = bytes.toString("utf8");
    const writerId = writerOfTemporary(name);
    if (writerId !== null) content.leftovers.push({ writerId, name });
    else if (isVaultName(name)) names.push(name);
  }
  const stats = await mapConcurrently(names, MAX_CONCURRENT_STATS, (name) => statEntry(calls, directory, name));
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
