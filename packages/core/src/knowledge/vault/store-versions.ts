import type { S3Client } from "@workspace/object-store";
import { NotFoundError } from "../../platform/errors.ts";
import { VERSIONS_DIRECTORY, type ServiceFolder } from "./service-folder.ts";
import { childOf, type VaultPath } from "./vault-path.ts";
import type { VersionStore } from "./version-store.ts";
import type { StoreFiles } from "./store-files.ts";

const HASH = /^[0-9a-f]{64}$/;

export interface StoreVersionsOptions {
  readonly client: S3Client;
  readonly files: StoreFiles;
  readonly folder: ServiceFolder;
}

/** Earlier contents of files as objects, each once under its hash. They are copied there within the store. */
export function createStoreVersions({ client, files, folder }: StoreVersionsOptions): VersionStore {
  const { keyOf, prefixOf, reading } = files.reader;
  const pathOf = (hash: string): VaultPath => childOf(childOf(VERSIONS_DIRECTORY, hash.slice(0, 2)), hash);

  async function isOld(hash: string, before: Date): Promise<boolean> {
    const object = await reading(() => client.head(keyOf(pathOf(hash))));
    return object !== null && object.modifiedAt < before;
  }

  return {
    prepare: (hash) => Promise.resolve({ path: keyOf(pathOf(hash)), release: () => undefined }),

    async open(hash) {
      try {
        return await files.openFile(pathOf(hash));
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        await folder.assertUsable();
        throw new NotFoundError("This version is no longer kept.", { cause: error });
      }
    },

    isOld,

    async removeOld(hash, before) {
      if (await isOld(hash, before)) await reading(() => client.remove(keyOf(pathOf(hash))));
    },

    async *list() {
      const start = prefixOf(VERSIONS_DIRECTORY);
      const pages = client.list(start);
      for (;;) {
        const page = await reading(() => pages.next());
        if (page.done === true) return;
        yield page.value.objects.map(({ key }) => key.slice(start.length + 3)).filter((name) => HASH.test(name));
      }
    },

    removeUnfinished: () => Promise.resolve(),
  };
}
