import { NotFoundError } from "../../platform/errors.ts";
import type { Directory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import { toFileStat } from "./file-stat.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import type { FolderFiles } from "./folder-files.ts";
import type { OpenFile } from "./regular-file.ts";
import { VERSIONS_DIRECTORY, type ServiceFolder } from "./service-folder.ts";
import { childOf, type VaultPath } from "./vault-path.ts";

const HASH = /^[0-9a-f]{64}$/;
const FOLDER = /^[0-9a-f]{2}$/;

/** Where content is about to be stored. */
export interface VersionPlace {
  readonly path: string;
  /** To be called once the content has been stored, or will not be. */
  release(): void;
}

export interface VersionStoreOptions {
  readonly calls: FileSystemCalls;
  readonly files: FolderFiles;
  readonly folder: ServiceFolder;
}

export type VersionStore = ReturnType<typeof createVersionStore>;

/** Stores earlier contents of files, each once under its hash, however many documents had it. */
export function createVersionStore({ calls, files, folder }: VersionStoreOptions) {
  const folderNameOf = (hash: string) => hash.slice(0, 2);
  const folderOf = (hash: string): VaultPath => childOf(VERSIONS_DIRECTORY, folderNameOf(hash));

  const listFolders = async (): Promise<VaultPath[]> =>
    (await files.readNames(VERSIONS_DIRECTORY))
      .filter((name) => FOLDER.test(name))
      .map((name) => childOf(VERSIONS_DIRECTORY, name));

  /** Not cached, because anyone may remove the folder; the check takes microseconds. */
  function hasFolder(store: Directory, name: string): boolean {
    try {
      return toFileStat(calls.lstatSync(store.entry(name))).kind === "directory";
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return false;
      throw error;
    }
  }

  async function isStoredBefore(directory: Directory, hash: string, before: Date): Promise<boolean> {
    return Number((await calls.lstat(directory.entry(hash))).ctimeMs) < before.getTime();
  }

  return {
    /**
     * Where the content with this hash is, or is to be stored. Throws UnavailableError if nothing can be stored. The caller
     * releases it.
     */
    prepare: (hash: string): Promise<VersionPlace> =>
      folder.use(async () => {
        const store = await files.openDirectory(VERSIONS_DIRECTORY, { create: true });
        try {
          if (!hasFolder(store, folderNameOf(hash))) {
            (await files.openDirectory(folderOf(hash), { create: true })).release();
          }
          return { path: store.entry(`${folderNameOf(hash)}/${hash}`), release: () => store.release() };
        } catch (error) {
          store.release();
          throw error;
        }
      }),

    /** Throws {@link NotFoundError} if the content is no longer stored. The caller releases the file. */
    async open(hash: string): Promise<OpenFile> {
      try {
        return await files.openFile(childOf(folderOf(hash), hash));
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        await folder.assertUsable();
        throw new NotFoundError("This version is no longer kept.", { cause: error });
      }
    },

    /** Whether content was stored before a date. */
    async isOld(hash: string, before: Date): Promise<boolean> {
      try {
        return await files.inDirectory(folderOf(hash), async (directory) => isStoredBefore(directory, hash, before));
      } catch (error) {
        if (error instanceof NotFoundError) return false;
        throw error;
      }
    },

    /** Removes content that was stored before a date. Does nothing if it is newer or not stored. */
    async removeOld(hash: string, before: Date): Promise<void> {
      try {
        await files.inDirectory(folderOf(hash), async (directory) => {
          if (await isStoredBefore(directory, hash, before)) await calls.unlink(directory.entry(hash));
        });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    },

    /** The hashes of all stored content, some hundreds at a time. */
    async *list(): AsyncGenerator<string[]> {
      for (const path of await listFolders()) yield (await files.readNames(path)).filter((name) => HASH.test(name));
    },

    /** Removes incomplete copies that were left by a crash and were started before a date. */
    async removeUnfinished(before: Date): Promise<void> {
      for (const path of await listFolders()) {
        for (const name of (await files.readNames(path)).filter((each) => each.endsWith(".tmp"))) {
          await files.inDirectory(path, async (directory) => {
            const { mtimeMs } = await calls.lstat(directory.entry(name));
            if (Number(mtimeMs) < before.getTime()) await calls.unlink(directory.entry(name));
          });
        }
      }
    },
  };
}
