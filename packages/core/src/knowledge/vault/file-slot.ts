import type { BigIntStats } from "node:fs";
import type { Directory } from "./directory.ts";
import { placeFile, type Placement, type PlaceOptions } from "./durable-write.ts";
import { systemErrorCode, withFileErrors } from "./file-error.ts";
import { toFileStat, type FileStat } from "./file-stat.ts";
import type { FileSystemCalls } from "./file-system-calls.ts";
import { removeQuietly, writeNewFile, type FileContent } from "./new-file.ts";
import { assertRegular, openRegularFile, type OpenFile } from "./regular-file.ts";

/**
 * The slot of one file: a name in a directory that is held open. A write takes three steps: the new content is staged under
 * a hidden name, moved to the file's own name, and made durable by syncing the directory.
 */
export interface FileSlot {
  /** The current file; null if there is none. Throws InvalidInputError unless it is a regular file, ForbiddenError for a link. */
  stat(): Promise<FileStat | null>;
  /** Like `stat`, but with a synchronous call: for shortly afterwards, while the kernel has the entry cached. */
  restat(): Promise<FileStat | null>;
  /** Opens the current file. The caller releases it. */
  open(): Promise<OpenFile>;
  /** Writes new content to disk next to the current file, with the mode and owner of `like`. */
  stage(content: FileContent, like: FileStat | null): Promise<FileStat>;
  /** Opens the staged file. The caller releases it. */
  openStaged(): Promise<OpenFile>;
  /** Whether the directory is still at the path at which it was opened. */
  isInPlace(): Promise<boolean>;
  /** See `placeFile`. Can be retried after a failure. */
  place(options: PlaceOptions): Promise<Placement>;
  /** Makes the placement durable. */
  sync(): Promise<void>;
  /** Equal for slots in the same directory, for which one sync suffices. */
  readonly directoryKey: string;
  /** Places and syncs, all or nothing. */
  commit(options: PlaceOptions): Promise<void>;
  /** Removes the staged file unless it was placed, and releases the directory. Must be called in the end; never fails. */
  release(): Promise<void>;
}

export interface FileSlotOptions {
  readonly calls: FileSystemCalls;
  readonly directory: Directory;
  readonly name: string;
  readonly temporaryNames: { readonly staged: string; readonly backup: string };
}

/** Takes ownership of the directory. */
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
  const statWith = (lstat: (path: string) => BigIntStats | Promise<BigIntStats>): Promise<FileStat | null> =>
    withFileErrors(async () => {
      try {
        const stat = toFileStat(await lstat(directory.entry(name)));
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

    stat: () => statWith(calls.lstat),
    restat: () => statWith(calls.lstatSync),

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
