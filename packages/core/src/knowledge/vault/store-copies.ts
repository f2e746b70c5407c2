import type { S3Client, StoredObject } from "@workspace/object-store";
import { ConflictError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import { isTooLong } from "./store-objects.ts";

const CONCURRENT_COPIES = 8;

/** The keys that the objects of a move begin with, up to the end of the paths. */
export interface KeyChange {
  readonly from: string;
  readonly to: string;
}

export interface Copy {
  readonly source: StoredObject;
  readonly target: string;
  /** Whether this call has made it. */
  readonly isNew: boolean;
}

/** The requests of which moves consist. */
export function createStoreCopies(client: S3Client) {
  /** The object itself, or everything in the directory. */
  async function findSources(from: string): Promise<StoredObject[]> {
    if (isTooLong(from)) return [];
    const file = await client.head(from);
    const sources = file === null ? [] : [file];
    for await (const { objects } of client.list(`${from}/`)) sources.push(...objects);
    return sources;
  }

  /** Null, with nothing copied, if there is something else at the target, or the source is gone. */
  async function copy(source: StoredObject, move: KeyChange): Promise<Copy | null> {
    const target = targetOf(source.key, move);
    if (isMarker(source.key)) {
      await client.put(target, Buffer.alloc(0));
      return { source, target, isNew: true };
    }
    const present = await client.head(target);
    if (present !== null) return present.etag === source.etag ? { source, target, isNew: false } : null;
    const etag = await client.copy(source.key, target, source.etag, { isNew: true });
    if (etag !== null) return { source, target, isNew: true };
    // It may be there because only the response to an earlier attempt was lost.
    return (await client.head(target))?.etag === source.etag ? { source, target, isNew: false } : null;
  }

  /** Removes the sources of copies, and directories that are empty without them, which some stores keep. */
  async function removeSources(copies: readonly Copy[], { from }: KeyChange): Promise<void> {
    const files = copies.filter(({ source }) => !isMarker(source.key));
    await inTheEnd(files, ({ source }) => client.remove(source.key, source.etag));
    const keys = copies.map(({ source }) => source.key);
    if (keys.some((key) => key !== from)) await removeDirectories(client, from, keys);
  }

  /** Throws ConflictError, with nothing copied, if there is something else at a target, or a source is gone. */
  async function copyAll(sources: readonly StoredObject[], move: KeyChange): Promise<Copy[]> {
    const copies = await inTheEnd(sources, (source) => copy(source, move));
    const made = copies.filter((each) => each !== null);
    if (made.length < sources.length) {
      for (const { target } of made.filter(({ isNew }) => isNew)) await client.remove(target);
      throw new ConflictError("Another program is changing this file or directory.");
    }
    return made;
  }

  return {
    findSources,
    copyAll,

    /** Copies what can be copied; null for the rest. */
    copyPossible: (sources: readonly StoredObject[], move: KeyChange): Promise<(Copy | null)[]> =>
      inTheEnd(sources, (source) => copy(source, move)),

    removeSources,
  };
}

/** The key of the copy of an object. */
export function targetOf(key: string, { from, to }: KeyChange): string {
  return `${to}${key.slice(from.length)}`;
}

/** Whether this is the object of a directory. */
function isMarker(key: string): boolean {
  return key.endsWith("/");
}

/** Removes the objects of a directory, and of those in it in which objects with some keys were; the innermost first. */
export async function removeDirectories(client: S3Client, from: string, keys: readonly string[]): Promise<void> {
  const directories = new Set([`${from}/`]);
  for (const key of keys) {
    for (let end = key.lastIndexOf("/"); end > from.length; end = key.lastIndexOf("/", end - 1)) {
      directories.add(key.slice(0, end + 1));
    }
  }
  const innermostFirst = [...directories].toSorted((one, other) => other.length - one.length);
  for (const directory of innermostFirst) {
    if (!(await holdsMore(client, directory))) await client.remove(directory);
  }
}

async function holdsMore(client: S3Client, directory: string): Promise<boolean> {
  for await (const { objects } of client.list(directory, { pageSize: 2 })) {
    return objects.some(({ key }) => key !== directory);
  }
  return false;
}

/** Runs work for all items, and fails only when none of it is pending any more: the lock must not be released before. */
async function inTheEnd<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const settled = await mapConcurrently(items, CONCURRENT_COPIES, async (item) => {
    const [outcome] = await Promise.allSettled([work(item)]);
    return outcome;
  });
  return settled.map((outcome) => {
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}
