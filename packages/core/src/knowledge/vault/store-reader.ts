import type { S3Client } from "@workspace/object-store";
import { NotFoundError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import type { FileStat } from "./file-stat.ts";
import type { OpenFile } from "./regular-file.ts";
import { withStoreErrors } from "./store-access.ts";
import { createStoreObjects } from "./store-objects.ts";
import { isVaultName, VAULT_ROOT, type VaultPath } from "./vault-path.ts";
import type { DirectoryContent, VaultEntry } from "./vault-reader.ts";

const MAX_CONCURRENT_STATS = 32;

export interface StoreReaderOptions {
  readonly client: S3Client;
  /** What all keys begin with. */
  readonly prefix: string;
  /** Throws VaultMissingError if the vault must not be read. */
  readonly assertReadable: () => void;
}

export type StoreReader = ReturnType<typeof createStoreReader>;

/** The part of a store's `VaultFiles` that reads. */
export function createStoreReader({ client, prefix, assertReadable }: StoreReaderOptions) {
  const reading = <Result>(work: () => Promise<Result>): Promise<Result> =>
    withStoreErrors(async () => {
      assertReadable();
      return work();
    });

  const objects = createStoreObjects({ client, prefix });
  const { statUnchecked, openUnchecked, readUnfiltered, listFiles } = objects;

  return {
    ...objects,
    reading,

    stat: (path: VaultPath): Promise<FileStat | null> => reading(() => statUnchecked(path)),

    statAll: (paths: readonly VaultPath[]): Promise<(FileStat | null)[]> =>
      reading(() => mapConcurrently(paths, MAX_CONCURRENT_STATS, statUnchecked)),

    openFile: (path: VaultPath): Promise<OpenFile> => reading(() => openUnchecked(path)),

    readDirectory: (path: VaultPath): Promise<DirectoryContent> =>
      reading(async () => ({
        entries: (await readUnfiltered(path)).filter(({ name }) => isVaultName(name)),
        leftovers: [],
      })),

    readNames: (path: VaultPath): Promise<string[]> =>
      reading(async () => {
        try {
          return [...new Set((await readUnfiltered(path)).map(({ name }) => name))];
        } catch (error) {
          if (error instanceof NotFoundError) return [];
          throw error;
        }
      }),

    assertUsable: (path: VaultPath): Promise<void> =>
      reading(async () => {
        if (path !== VAULT_ROOT && !(await objects.holdsAnything(path)))
          throw new NotFoundError("There is no such directory.");
      }),

    /** All files of the vault; what is in hidden directories, such as the versions, is not even listed. */
    async *pages(signal: AbortSignal): AsyncGenerator<readonly VaultEntry[]> {
      const top = await reading(() => readUnfiltered(VAULT_ROOT));
      const visible = top.filter(({ name }) => isVaultName(name));
      yield visible.filter(({ stat }) => stat.kind === "file");
      for (const { path, stat } of visible) {
        if (stat.kind !== "directory") continue;
        const pages = listFiles(path);
        for (;;) {
          signal.throwIfAborted();
          const page = await reading(() => pages.next());
          if (page.done === true) break;
          yield page.value;
        }
      }
    },
  };
}
