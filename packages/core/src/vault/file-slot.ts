import type { BigIntStats } from "node:fs";
import type { Directory } from "./directory.ts";
import { placeFile, type Placement, type PlaceOptions } from "./durable-write.ts";
import { systemErrorCode, withFileErrors } from "./file-error.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import { removeQuietly, writeNewFile, type FileContent } from "./new-file.ts";
import { assertRegular, openRegularFile, type OpenFile } from "./regular-file.ts";

/**
 * The place of one file: a name in a directory that is held open. A write goes through three steps: the new bytes are
 * staged under a name that nobody sees, placed under the file's own, and made to stay by a sync of the directory.
 */
export interface FileSlot {
  /** What is there now; null for nothing. Throws InvalidInputError for anything but a regular file, ForbiddenError for a link. */
  look(): Promise<FileStat | null>;
  /** The same at once, soon after `look`, while the kernel has it in memory. */
  lookAgain(): Promise<FileStat | null>;
  /** Opens what is there now. The caller releases it. */
  open(): Promise<OpenFile>;
  /** Puts new bytes on the disk, beside what is there. They get mode and owner of `like`. */
  stage(content: FileContent, like: FileStat | null): Promise<FileStat>;
  /** Opens the staged bytes. The caller releases it. */
  openStaged(): Promise<OpenFile>;
  /** Whether the directory is still at the path under which it was opened. */
  isInPlace(): Promise<boolean>;
  /** See `placeFile`. After a failure it can be tried again. */
  place(options: PlaceOptions): Promise<Placement>;
  /** Makes what was placed survive a power cut. */
  sync(): Promise<void>;
  /** The same for two slots in one directory, so that one sync is enough for both. */
  readonly directoryKey: string;
  /** Places and syncs, all or nothing. */
  commit(options: PlaceOptions): Promise<void>;
  /** Removes what was staged and not placed, and lets go of the directory. Must be called in the end, and never fails. */
  release(): Promise<void>;
}

export interface FileSlotOptions {
  readonly calls: FileSystemCalls;
  readonly directory: Directory;
  readonly name: string;
  readonly temporaryNames: { readonly staged: string; readonly backup: string };
}

/** Takes over the directory. */
export function createFileSlot(options: FileSlotOptions): FileSlot {
  const { calls, directory, name, temporaryNames } = options;
  const { staged: stagedName, backup: backupName } = temporaryNames;
  const directoryKey = directory.key();
  let isStaged = false;

  const place = (options: PlaceOptions): Promise<Placement> =>
    withFileErrors(async () => {
      const placement = await placeFile({ calls, directory, name, stagedName, backupName }, options);
      isStaged = false;
      return placement;
    });
  const sync = (): Promise<void> => withFileErrors(() => directory.sync());
  const lookWith = (look: (path: string) => BigIntStats | Promise<BigIntStats>): Promise<FileStat | null> =>
    withFileErrors(async () => {
      try {
        const stat = toFileStat(await look(directory.entry(name)));
        assertRegular(stat);
        return stat;
      } catch (error) {
        if (systemErrorCode(error) === "ENOENT") return null;
        throw error;
      }
    });

  return {
    directoryKey,
    place,
    sync,
    isInPlace: () => directory.isInPlace(),
    open: () => withFileErrors(() => openRegularFile(calls, directory, name)),
    openStaged: () => withFileErrors(() => openRegularFile(calls, directory, stagedName)),

    look: () => lookWith(calls.lstat),
    lookAgain: () => lookWith(calls.lookAgain),

    stage: (content, like) =>
      withFileErrors(async () => {
        const stat = await writeNewFile({ calls, path: directory.entry(stagedName), content, like });
        isStaged = true;
        return stat;
      }),

    async commit(options) {
      const placement = await place(options);
      try {
        await sync();
        await placement.finish();
      } catch (error) {
        await placement.undo();
        throw error;
      }
    },

    async release() {
      if (isStaged) await removeQuietly(calls, directory.entry(stagedName));
      directory.release();
    },
  };
}
