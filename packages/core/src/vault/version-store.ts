import { join } from "node:path";
import { NotFoundError } from "../platform/errors.ts";
import { pathDirectory } from "./directory.ts";
import { systemErrorCode } from "./file-error.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { openRegularFile, type OpenFile } from "./regular-file.ts";
import { ensureServiceDirectory, listServiceDirectory } from "./service-directory.ts";

const HASH = /^[0-9a-f]{64}$/;

export type VersionStore = ReturnType<typeof createVersionStore>;

/** Earlier contents of files, each kept once under its hash, however many documents had it. */
export function createVersionStore({ calls, directory }: { calls: FileSystemCalls; directory: string }) {
  const folderOf = (hash: string) => join(directory, hash.slice(0, 2));
  const prepared = new Set<string>();

  return {
    /** Where the content of this hash is kept, or is to be put; the directory is there when this resolves. */
    async prepare(hash: string): Promise<string> {
      const folder = folderOf(hash);
      if (!prepared.has(folder)) await ensureServiceDirectory(calls, folder);
      prepared.add(folder);
      return join(folder, hash);
    },

    /** The caller releases it. Throws {@link NotFoundError} where it is not kept any more. */
    async open(hash: string): Promise<OpenFile> {
      try {
        return await openRegularFile(calls, pathDirectory(calls, folderOf(hash)), hash);
      } catch (error) {
        if (systemErrorCode(error) !== "ENOENT") throw error;
        throw new NotFoundError("This version is not kept any more.", { cause: error });
      }
    },

    /** Removes what was put into the store before a date. Does nothing where it is younger or not kept. */
    async removeOld(hash: string, before: Date): Promise<void> {
      const path = join(folderOf(hash), hash);
      try {
        const { ctimeMs } = await calls.lstat(path);
        if (Number(ctimeMs) < before.getTime()) await calls.unlink(path);
      } catch (error) {
        if (systemErrorCode(error) !== "ENOENT") throw error;
      }
    },

    /** Everything in the store by its hash, some hundreds at a time. */
    async *list(): AsyncGenerator<string[]> {
      for (const folder of await listServiceDirectory(calls, directory)) {
        yield (await listServiceDirectory(calls, join(directory, folder))).filter((name) => HASH.test(name));
      }
    },

    /** Removes copies that were begun before a date and that a crash left unfinished. */
    async removeUnfinished(before: Date): Promise<void> {
      for (const folder of await listServiceDirectory(calls, directory)) {
        for (const name of await listServiceDirectory(calls, join(directory, folder))) {
          const path = join(directory, folder, name);
          if (name.endsWith(".tmp") && Number((await calls.lstat(path)).mtimeMs) < before.getTime())
            await calls.unlink(path);
        }
      }
    },
  };
}
