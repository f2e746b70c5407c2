import type { S3Client } from "@workspace/object-store";
import { FileChangedError, type Placement, type PlaceOptions } from "./durable-write.ts";
import type { FileSlot } from "./file-slot.ts";
import type { FileStat } from "./file-stat.ts";
import type { OpenFile } from "./regular-file.ts";
import { stageContent, type StagedContent, type StagingOptions } from "./staged-content.ts";
import { withStoreErrors } from "./store-access.ts";

export interface StoreSlotOptions extends StagingOptions {
  readonly client: S3Client;
  readonly key: string;
  /** The current object; null if there is none. Throws InvalidInputError for a directory. */
  readonly stat: () => Promise<FileStat | null>;
  readonly open: () => Promise<OpenFile>;
  /** Throws ConflictError if a file is in the place of a parent. */
  readonly assertParents: () => Promise<void>;
  /** Throws UnavailableError if a move that concerns the object was interrupted: it may be a copy that is to be removed. */
  readonly assertCompleted: () => Promise<void>;
}

/** The slot of one object. Whatever the store confirms is durable, so there is nothing to sync. */
export function createStoreSlot({
  client,
  key,
  stat,
  open,
  assertParents,
  assertCompleted,
  ...staging
}: StoreSlotOptions): FileSlot {
  let staged: StagedContent | null = null;
  const requireStaged = (): StagedContent => {
    if (staged === null) throw new Error("Nothing is staged.");
    return staged;
  };

  async function restore(etag: string, { expected, keepAt }: PlaceOptions): Promise<void> {
    if (expected === null) return client.remove(key, etag);
    const before = keepAt === null ? null : await client.open(keepAt);
    if (before === null) return;
    const content = await stageContent(before.chunks(), staging);
    try {
      await client.put(key, content.content, { etag });
    } finally {
      await content.release();
    }
  }

  const place = (options: PlaceOptions): Promise<Placement> =>
    withStoreErrors(async () => {
      const { expected, keepAt } = options;
      const expectedTag = expected?.object?.etag;
      if (expectedTag === undefined) await assertParents();
      else if (keepAt !== null && (await client.copy(key, keepAt, expectedTag)) === null) throw changed();
      const condition = expectedTag === undefined ? "new" : { etag: expectedTag };
      const etag = await client.put(key, requireStaged().content, condition);
      if (etag === null) throw changed();
      return {
        finish: () => Promise.resolve(),
        // The error that led here is the one to report.
        undo: () => restore(etag, options).catch(() => undefined),
      };
    });

  return {
    stat,
    restat: stat,
    open,
    async stage(content) {
      staged = await withStoreErrors(() => stageContent(content, staging));
      return staged.stat;
    },
    openStaged: () => Promise.resolve(requireStaged().open()),
    async isInPlace() {
      await withStoreErrors(assertCompleted);
      return true;
    },
    place,
    sync: () => Promise.resolve(),
    // Each is asked whether it is in place.
    directoryKey: key,
    commit: async (options) => (await place(options)).finish(),
    release: async () => staged?.release(),
  };
}

function changed(): FileChangedError {
  return new FileChangedError("The file was changed by another program.");
}
