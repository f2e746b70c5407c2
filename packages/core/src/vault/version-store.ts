import { NotFoundError } from "../platform/errors.ts";
import type { Directory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { toFileStat } from "./file-stat.ts";
import type { OpenFile } from "./regular-file.ts";
import { VERSIONS_DIRECTORY, type ServiceFolder } from "./service-folder.ts";
import type { VaultFiles } from "./vault-files.ts";
import { childOf, type VaultPath } from "./vault-path.ts";

const HASH = /^[0-9a-f]{64}$/;
const FOLDER = /^[0-9a-f]{2}$/;

/** The name that a content is about to get in the store. */
export interface VersionPlace {
  readonly path: string;
  /** To be called once the content is there, or will not come. */
  release(): void;
}

export interface VersionStoreOptions {
  readonly calls: FileSystemCalls;
  readonly files: VaultFiles;
  readonly folder: ServiceFolder;
}

export type VersionStore = ReturnType<typeof createVersionStore>;

/** Earlier contents of files, each kept once under its hash, however many documents had it. */
export function createVersionStore({ calls, files, folder }: VersionStoreOptions) {
  const folderNameOf = (hash: string) => hash.slice(0, 2);
  const folderOf = (hash: string): VaultPath => childOf(VERSIONS_DIRECTORY, folderNameOf(hash));

  /** The names in a directory of the store; none where it does not exist yet. */
  async function namesIn(path: VaultPath): Promise<string[]> {
    try {
      return await files.inDirectory(path, async (directory) =>
        (await calls.readdir(directory.entry("."))).map((name) => name.toString("utf8")),
      );
    } catch (error) {
      if (error instanceof NotFoundError) return [];
      throw error;
    }
  }

  const listFolders = async (): Promise<VaultPath[]> =>
    (await namesIn(VERSIONS_DIRECTORY))
      .filter((name) => FOLDER.test(name))
      .map((name) => childOf(VERSIONS_DIRECTORY, name));

  /** Looked at each time, which costs microseconds: somebody may have removed it. */
  function hasFolder(store: Directory, name: string): boolean {
    try {
      return toFileStat(calls.lookAgain(store.entry(name))).kind === "directory";
    } catch (error) {
      if (systemErrorCode(error) === "ENOENT") return false;
      throw error;
    }
  }

  return {
    /**
     * Where the content of this hash is kept, or is to be put. Throws UnavailableError where nothing can be kept. The caller
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

    /** The caller releases it. Throws {@link NotFoundError} where it is not kept any more. */
    async open(hash: string): Promise<OpenFile> {
      try {
        return await files.openFile(childOf(folderOf(hash), hash));
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        await folder.assertUsable();
        throw new NotFoundError("This version is not kept any more.", { cause: error });
      }
    },

    /** Removes what was put into the store before a date. Does nothing where it is younger or not kept. */
    async removeOld(hash: string, before: Date): Promise<void> {
      try {
        await files.inDirectory(folderOf(hash), async (directory) => {
          const { ctimeMs } = await calls.lstat(directory.entry(hash));
          if (Number(ctimeMs) < before.getTime()) await calls.unlink(directory.entry(hash));
        });
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
    },

    /** Everything in the store by its hash, some hundreds at a time. */
    async *list(): AsyncGenerator<string[]> {
      for (const path of await listFolders()) yield (await namesIn(path)).filter((name) => HASH.test(name));
    },

    /** Removes copies that were begun before a date and that a crash left unfinished. */
    async removeUnfinished(before: Date): Promise<void> {
      for (const path of await listFolders()) {
        for (const name of (await namesIn(path)).filter((each) => each.endsWith(".tmp"))) {
          await files.inDirectory(path, async (directory) => {
            const { mtimeMs } = await calls.lstat(directory.entry(name));
            if (Number(mtimeMs) < before.getTime()) await calls.unlink(directory.entry(name));
          });
        }
      }
    },
  };
}
