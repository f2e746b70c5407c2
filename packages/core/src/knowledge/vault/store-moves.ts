import type { S3Client, StoredObject } from "@workspace/object-store";
import { ConflictError, NotFoundError } from "../../platform/errors.ts";
import type { IdGenerator } from "../../platform/ids.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import { parentOf, VAULT_ROOT, type VaultPath } from "./vault-path.ts";
import { createMoveNotes } from "./store-move-notes.ts";
import { isTooLong } from "./store-objects.ts";
import type { StoreReader } from "./store-reader.ts";
import type { CompletedMoves } from "./vault-files.ts";

const CONCURRENT_COPIES = 8;

/** The keys that the objects of a move begin with, up to the end of the paths. */
interface Move {
  readonly from: string;
  readonly to: string;
}

type PathChange = CompletedMoves["changes"][number];

interface Copy {
  readonly source: StoredObject;
  readonly target: string;
  /** Whether this call has made it. */
  readonly isNew: boolean;
}

export interface StoreMovesOptions {
  readonly client: S3Client;
  readonly reader: StoreReader;
  readonly ids: IdGenerator;
}

/**
 * Moves objects: each is copied, then all of them are removed. A note is stored before, and removed afterwards, so that an interrupted
 * move can be completed. All of this happens with the tree locked.
 */
export function createStoreMoves({ client, reader, ids }: StoreMovesOptions) {
  const { keyOf, prefixOf, assertPossible } = reader;
  const notes = createMoveNotes({ client, reader, ids });

  /** The object itself, or everything in the directory. */
  async function findSources(from: string): Promise<StoredObject[]> {
    if (isTooLong(from)) return [];
    const file = await client.head(from);
    const sources = file === null ? [] : [file];
    for await (const { objects } of client.list(`${from}/`)) sources.push(...objects);
    return sources;
  }

  /** Null, with nothing copied, if there is something else at the target, or the source is gone. */
  async function copy(source: StoredObject, move: Move): Promise<Copy | null> {
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
  async function removeSources(copies: readonly Copy[], { from }: Move): Promise<void> {
    const files = copies.filter(({ source }) => !isMarker(source.key));
    await inTheEnd(files, ({ source }) => client.remove(source.key, source.etag));
    const keys = copies.map(({ source }) => source.key);
    if (keys.some((key) => key !== from)) await removeDirectories(client, from, keys);
  }

  return {
    /**
     * Moves what is at a path to a free one. Throws ConflictError, with nothing moved, if another program takes it meanwhile,
     * InvalidInputError if a key would be too long, and UnavailableError as `assertCompleted`.
     */
    async move(from: VaultPath, to: VaultPath): Promise<void> {
      await notes.assertCompleted(from, to);
      const sources = await findSources(keyOf(from));
      if (sources.length === 0) throw new NotFoundError("There is nothing at this path.");
      const move = { from: keyOf(from), to: keyOf(to) };
      for (const { key } of sources) assertPossible(to, targetOf(key, move));
      const note = await notes.add({ from, to });
      const copies = await inTheEnd(sources, (source) => copy(source, move));
      const made = copies.filter((each) => each !== null);
      if (made.length < sources.length) {
        for (const { target } of made.filter(({ isNew }) => isNew)) await client.remove(target);
        await notes.remove(note);
        throw new ConflictError("Another program is changing this file or directory.");
      }
      // The directory stays, even without files.
      const parent = parentOf(from);
      if (parent !== VAULT_ROOT) await client.put(prefixOf(parent), Buffer.alloc(0));
      await removeSources(made, move);
      await notes.remove(note);
    },

    hasUnfinished: async (): Promise<boolean> => (await notes.list()).length > 0,

    assertCompleted: notes.assertCompleted,

    /** Completes interrupted moves as far as nothing else is at their targets. */
    async complete(): Promise<CompletedMoves> {
      const keys = await notes.list();
      const changes: PathChange[] = [];
      for (const key of keys) {
        const change = await notes.read(key);
        if (change === null) continue;
        changes.push(change);
        const move = { from: keyOf(change.from), to: keyOf(change.to) };
        const sources = await findSources(move.from);
        const copies = await inTheEnd(sources, (source) => copy(source, move));
        await removeSources(
          copies.filter((each) => each !== null),
          move,
        );
      }
      return {
        changes,
        async forget() {
          for (const key of keys) await notes.remove(key);
        },
      };
    },
  };
}

function targetOf(key: string, { from, to }: Move): string {
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
