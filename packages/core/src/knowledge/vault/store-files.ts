import type { S3Client, StorePlace } from "@workspace/object-store";
import { ConflictError, InvalidInputError } from "../../platform/errors.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import type { FileSlot } from "./file-slot.ts";
import { assertRegular } from "./regular-file.ts";
import { createVaultAccess } from "./vault-access.ts";
import type { VaultFiles } from "./vault-files.ts";
import { childOf, nameOf, parentOf, VAULT_ROOT, type VaultPath } from "./vault-path.ts";
import { assertMovable } from "./vault-writer.ts";
import { findStoreProblem, withStoreErrors } from "./store-access.ts";
import { removeDirectories } from "./store-copies.ts";
import { createStoreMoves } from "./store-moves.ts";
import { createStoreReader, type StoreReader } from "./store-reader.ts";
import { createStoreSlot } from "./store-slot.ts";
import type { StagingOptions } from "./staged-content.ts";
import { directoryStat } from "./stored-stat.ts";

/** Names the entry of its directory that was discarded. */
const DISCARDED_PREFIX = ".given-up-";

export interface StoreFilesOptions extends StagingOptions {
  readonly client: S3Client;
  readonly place: StorePlace;
  readonly writerId: string;
  readonly ids: IdGenerator;
  /** How often to list everything. */
  readonly scanEveryMs: number;
}

export interface StoreFiles extends VaultFiles {
  readonly reader: StoreReader;
}

/** The files of a vault in an S3-compatible store. A file is an object, a directory what keys begin with. */
export function createStoreFiles(options: StoreFilesOptions): StoreFiles {
  const { client, place, writerId, ids, scanEveryMs } = options;
  const { assertRoot, assertWritable, ...controls } = createVaultAccess();
  const root = directoryStat(place.prefix);
  const reader = createStoreReader({ client, prefix: place.prefix, assertReadable: () => assertRoot(root) });
  const { keyOf, prefixOf, reading, statUnchecked, assertParents } = reader;
  const moves = createStoreMoves({ client, reader, ids });
  let isSuitable = false;

  const writing = <Result>(work: () => Promise<Result>): Promise<Result> => {
    assertWritable();
    return reading(work);
  };

  async function removeTree(path: VaultPath): Promise<void> {
    const keys: string[] = [];
    for await (const { objects } of client.list(prefixOf(path))) keys.push(...objects.map(({ key }) => key));
    if (keys.length === 0) return client.remove(keyOf(path));
    for (const key of keys.filter((each) => !each.endsWith("/"))) await client.remove(key);
    await removeDirectories(client, keyOf(path), keys);
  }

  return {
    ...controls,
    ...reader,
    reader,
    writerId,
    listing: { everyMs: scanEveryMs, pages: reader.pages },

    findProblem: () =>
      withStoreErrors(async () => {
        if (isSuitable) return null;
        const problem = await findStoreProblem(client, place.prefix);
        isSuitable = problem === null;
        return problem;
      }),

    openSlot: (path): Promise<FileSlot> =>
      writing(async () => {
        if (path === VAULT_ROOT) throw new InvalidInputError("The path is a directory.");
        return createStoreSlot({
          ...options,
          key: keyOf(path),
          async stat() {
            const stat = await reader.stat(path);
            if (stat !== null) assertRegular(stat);
            return stat;
          },
          open: () => reader.openFile(path),
          assertParents: () => assertParents(path),
          assertCompleted: () => moves.assertCompleted(path),
        });
      }),

    createDirectory: (path) =>
      writing(async () => {
        if (path === VAULT_ROOT) throw new ConflictError("The vault itself exists already.");
        if ((await statUnchecked(path)) !== null) throw new ConflictError("Something is at this path already.");
        await assertParents(path);
        await client.put(prefixOf(path), Buffer.alloc(0));
      }),

    move: (from, to) =>
      writing(async () => {
        assertMovable(from, to);
        if ((await statUnchecked(to)) !== null) throw new ConflictError("Something is at this path already.");
        await assertParents(to);
        return moves.move(from, to);
      }),

    hasUnfinishedMoves: () => reading(moves.hasUnfinished),
    completeMoves: () =>
      reading(async () => {
        const { changes, forget } = await moves.complete();
        return { changes, forget: () => reading(forget) };
      }),

    removeTree: (path) => reading(() => removeTree(path)),

    // Its label is removed first, so that it is not found any more.
    discard: (path) =>
      reading(async () => {
        await client.put(keyOf(discardedName(path)), Buffer.alloc(0));
        await client.remove(keyOf(childOf(path, "label.json")));
      }),

    async removeDiscarded(parent) {
      const names = await reader.readNames(parent);
      for (const name of names.filter((each) => each.startsWith(DISCARDED_PREFIX))) {
        await reading(async () => {
          await removeTree(childOf(parent, name.slice(DISCARDED_PREFIX.length)));
          await client.remove(keyOf(childOf(parent, name)));
        });
      }
    },

    removeLeftover: () => Promise.reject(new Error("Nothing in a store is half-written.")),
  };
}

function discardedName(path: VaultPath): VaultPath {
  return childOf(parentOf(path), `${DISCARDED_PREFIX}${nameOf(path)}`);
}
