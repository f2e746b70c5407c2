import { ConflictError } from "../../platform/errors.ts";
import type { Placement } from "../vault/durable-write.ts";
import type { FileSlot } from "../vault/file-slot.ts";
import { parentOf } from "../vault/vault-path.ts";
import type { VersionPlace, VersionStore } from "../vault/version-store.ts";
import { readFileState, type FileState } from "./file-state.ts";
import { assertWriteCondition } from "./write-condition.ts";
import type { QueuedWrite } from "./write-queue.ts";

/** A write whose file is in place and can still be reverted. */
export interface PlacedWrite {
  readonly queued: QueuedWrite;
  /** The file that it replaced, or left alone because the content is the same. */
  readonly previous: FileState | null;
  readonly placement: Placement;
}

type FailureHandler = (queued: QueuedWrite, error: unknown) => void;

/** Checks the conditions of all writes and places their files. Returns those that succeeded. */
export async function placeAll(
  batch: readonly QueuedWrite[],
  versions: VersionStore,
  onFailure: FailureHandler,
): Promise<PlacedWrite[]> {
  const isInPlace = oncePerKey((slot) => slot.isInPlace());
  const placed = await Promise.all(
    batch.map(async (queued) => {
      try {
        const { path, slot } = queued.write;
        if (!(await isInPlace(`${slot.directoryKey} ${parentOf(path)}`, slot))) {
          throw new ConflictError("The directory was moved meanwhile. Try again.");
        }
        return await place(queued, versions);
      } catch (error) {
        onFailure(queued, error);
        return null;
      }
    }),
  );
  return placed.filter((one) => one !== null);
}

async function place(queued: QueuedWrite, versions: VersionStore): Promise<PlacedWrite> {
  const { slot, condition, content, previous: before } = queued.write;
  const previous = await readFileState(slot, await slot.restat(), before);
  assertWriteCondition(condition, previous?.contentHash ?? null);
  const isOverwrite = previous !== null && previous.contentHash !== content.contentHash;
  const expected = previous?.stat ?? null;
  if (!isOverwrite) return { queued, previous, placement: await slot.place({ expected, keepAt: null }) };
  const version = await versions.prepare(previous.contentHash);
  try {
    const placement = await slot.place({ expected, keepAt: version.path });
    return { queued, previous, placement: thenRelease(placement, version) };
  } catch (error) {
    version.release();
    throw error;
  }
}

/** Syncs each directory once. Files in a directory that fails are reverted. Returns the others; never fails itself. */
export async function syncAll(placed: readonly PlacedWrite[]): Promise<PlacedWrite[]> {
  const sync = oncePerKey((slot) => slot.sync());
  const synced = await Promise.all(
    placed.map(async (one) => {
      const { slot } = one.queued.write;
      try {
        await sync(slot.directoryKey, slot);
        return one;
      } catch (error) {
        await one.placement.undo();
        one.queued.reject(error);
        return null;
      }
    }),
  );
  return synced.filter((one) => one !== null);
}

/** Releases the place of the old content when the placement is finished or undone. */
function thenRelease({ finish, undo }: Placement, version: VersionPlace): Placement {
  return {
    finish: () => finish().finally(() => version.release()),
    undo: () => undo().finally(() => version.release()),
  };
}

/** Runs work with only one of the slots that share a key. */
function oncePerKey<Result>(
  work: (slot: FileSlot) => Promise<Result>,
): (key: string, slot: FileSlot) => Promise<Result> {
  const results = new Map<string, Promise<Result>>();
  return (key, slot) => {
    const result = results.get(key) ?? work(slot);
    results.set(key, result);
    return result;
  };
}
