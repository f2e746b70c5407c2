import { Readable } from "node:stream";
import type { OpenObject, S3Client } from "@workspace/object-store";
import { ConflictError, InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { mapConcurrently } from "../../platform/map-concurrently.ts";
import type { FileStat } from "./file-stat.ts";
import type { OpenFile } from "./regular-file.ts";
import { openBytes, readingAt } from "./staged-content.ts";
import { toVaultError, withStoreErrors } from "./store-access.ts";
import { directoryStat, toStat } from "./stored-stat.ts";
import {
  childOf,
  isVaultName,
  isWithin,
  MAX_DEPTH,
  nameOf,
  parentOf,
  SERVICE_DIRECTORY,
  VAULT_ROOT,
  type VaultPath,
} from "./vault-path.ts";
import type { VaultEntry } from "./vault-reader.ts";

const MAX_CONCURRENT_REQUESTS = 32;
/** Objects up to this size are read in the request that opens them. */
const READ_AT_ONCE_BYTES = 1024 * 1024;

/** Stores refuse longer keys, as Amazon S3 does. */
const MAX_KEY_BYTES = 1_024;
/** By how much keys may become longer when a directory is moved into the trash. */
const TRASH_BYTES = `${SERVICE_DIRECTORY}/trash/00000000-0000-0000-0000-000000000000/content`.length;

export interface StoreObjectsOptions {
  readonly client: S3Client;
  /** What all keys begin with. */
  readonly prefix: string;
}

/** Whether there can be no object with this key. */
export function isTooLong(key: string): boolean {
  return Buffer.byteLength(key) > MAX_KEY_BYTES;
}

/** Objects as the files and directories that they stand for, whether or not the vault may be read. */
export function createStoreObjects({ client, prefix }: StoreObjectsOptions) {
  const keyOf = (path: VaultPath): string => `${prefix}${path}`;
  /** What the keys of everything in a directory begin with. */
  const prefixOf = (path: VaultPath): string => (path === VAULT_ROOT ? prefix : `${prefix}${path}/`);

  /** Throws InvalidInputError for a path at which nothing can be stored and deleted again. The service's own may be longer. */
  function assertPossible(path: VaultPath, key = prefixOf(path)): void {
    const limit = isWithin(path, SERVICE_DIRECTORY) ? MAX_KEY_BYTES : MAX_KEY_BYTES - TRASH_BYTES;
    if (Buffer.byteLength(key) <= limit) return;
    throw new InvalidInputError(`A path in the vault's store must be at most ${limit - prefix.length - 1} bytes long.`);
  }

  async function holdsAnything(path: VaultPath): Promise<boolean> {
    if (isTooLong(prefixOf(path))) return false;
    for await (const { objects } of client.list(prefixOf(path), { pageSize: 1 })) return objects.length > 0;
    return false;
  }

  async function statUnchecked(path: VaultPath): Promise<FileStat | null> {
    const object = path === VAULT_ROOT || isTooLong(keyOf(path)) ? null : await client.head(keyOf(path));
    if (object !== null) return toStat(object);
    // Of the root, this finds out whether there is a bucket.
    const isDirectory = await holdsAnything(path);
    return isDirectory || path === VAULT_ROOT ? directoryStat(prefixOf(path)) : null;
  }

  async function openUnchecked(path: VaultPath): Promise<OpenFile> {
    const object = path === VAULT_ROOT || isTooLong(keyOf(path)) ? null : await client.open(keyOf(path));
    if (object !== null) return openObject(client, object);
    if (path === VAULT_ROOT || (await holdsAnything(path))) throw new InvalidInputError("The path is a directory.");
    throw new NotFoundError("There is nothing at this path.");
  }

  /** Directories and files, hidden ones included. */
  async function readUnfiltered(path: VaultPath): Promise<VaultEntry[]> {
    const start = prefixOf(path);
    if (isTooLong(start)) throw new NotFoundError("There is no such directory.");
    const entries: VaultEntry[] = [];
    let isThere = path === VAULT_ROOT;
    const add = (name: string, stat: FileStat) => void entries.push({ name, path: childOf(path, name), stat });
    for await (const { objects, prefixes } of client.list(start, { delimiter: "/" })) {
      isThere ||= objects.length + prefixes.length > 0;
      for (const object of objects) {
        const name = object.key.slice(start.length);
        if (name !== "") add(name, toStat(object));
      }
      for (const directory of prefixes) {
        const name = directory.slice(start.length, -1);
        if (name !== "") add(name, directoryStat(directory));
      }
    }
    if (!isThere) throw new NotFoundError("There is no such directory.");
    return entries;
  }

  /** The files below a directory whose paths a client can address, a page at a time. */
  async function* listFiles(directory: VaultPath): AsyncGenerator<VaultEntry[]> {
    for await (const { objects } of client.list(prefixOf(directory))) {
      yield objects.flatMap((object) => {
        const names = object.key.slice(prefix.length).split("/");
        if (!names.every(isVaultName) || names.length > MAX_DEPTH) return [];
        let path = VAULT_ROOT;
        for (const name of names) path = childOf(path, name);
        return [{ name: nameOf(path), path, stat: toStat(object) }];
      });
    }
  }

  return {
    keyOf,
    prefixOf,
    holdsAnything,
    statUnchecked,
    openUnchecked,
    readUnfiltered,
    listFiles,
    assertPossible,

    /** Throws ConflictError if a file is in the place of a directory above a path, and InvalidInputError if it is too long. */
    async assertParents(path: VaultPath): Promise<void> {
      assertPossible(path);
      const parent = parentOf(path);
      if (parent === VAULT_ROOT || (await holdsAnything(parent))) return;
      const parents: VaultPath[] = [];
      for (let each = parent; each !== VAULT_ROOT; each = parentOf(each)) parents.push(each);
      const found = await mapConcurrently(parents, MAX_CONCURRENT_REQUESTS, (each) => client.head(keyOf(each)));
      if (found.some((object) => object !== null)) {
        throw new ConflictError("A part of the path is a file, not a directory.");
      }
    },
  };
}

async function openObject(client: S3Client, object: OpenObject): Promise<OpenFile> {
  const { key, etag, size } = object;
  const stat = toStat(object);
  if (size <= READ_AT_ONCE_BYTES) return openBytes(stat, await object.bytes());
  await object.cancel();
  /** Every part is of the same content. */
  async function openPart(start: number, length: number): Promise<OpenObject> {
    const part = await client.open(key, { etag, range: { start, length } });
    if (part === null) throw new ConflictError("The file was changed while it was being read. Try again.");
    return part;
  }
  async function* chunks(start: number, length: number): AsyncGenerator<Uint8Array> {
    try {
      if (length > 0) yield* (await openPart(start, length)).chunks();
    } catch (error) {
      throw toVaultError(error);
    }
  }
  return {
    ...readingAt(stat, async (position, length) => {
      const wanted = Math.min(length, Math.max(size - position, 0));
      if (wanted === 0) return Buffer.alloc(0);
      return withStoreErrors(async () => (await openPart(position, wanted)).bytes());
    }),
    chunks: () => chunks(0, size),
    stream: ({ start, length }) => Readable.from(chunks(start, length)),
  };
}
