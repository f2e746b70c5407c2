import { createHash } from "node:crypto";
import {
  createS3Client,
  parseStoreUrl,
  type S3Access,
  type S3Client,
  type StoreContent,
  type StoredObject,
} from "@workspace/object-store";
import pLimit from "p-limit";
import { BackupError, DamagedError } from "../backup-error.ts";
import type { ContentReader } from "../content-reader.ts";
import { CHUNK_BYTES } from "../content-writer.ts";
import { readFileList } from "../file-list.ts";
import type { BackedUpFile, Manifest, Part } from "../manifest.ts";
import { toBackupError, withBackupErrors } from "../storage/store-errors.ts";
import { type Attempt, collectLeftOut } from "./left-out.ts";
import type { FolderContents } from "./list-folder.ts";
import type { VaultSource } from "./read-vault.ts";
import { insideOf } from "./write-vault.ts";

const CLIENT_OPTIONS = { attempts: 5, deadlineMs: 120_000 };
const CONCURRENT_REQUESTS = 8;
const MODE = 0o644;

/** A vault in a store, as backups read and write it. Its methods throw {@link BackupError}. */
export interface StoredVault extends VaultSource {
  isEmpty(): Promise<boolean>;
  /** Removes everything. */
  clear(): Promise<void>;
  /** Writes the files of a backup into an empty place; returns those that it had to leave out. */
  write(vault: Manifest["vault"], read: ContentReader): Promise<string[]>;
  /** Puts one file somewhere, if nothing is there; returns whether it did. */
  writeFile(path: string, file: BackedUpFile, read: ContentReader): Promise<boolean>;
  /** The content of a file; null if there is none. */
  readFile(path: string): Promise<Buffer | null>;
  /** Copies a file to a free path and removes it. */
  rename(path: string, to: string): Promise<void>;
}

/** `url` is `s3://bucket/path`. */
export function openStoredVault(url: string, access: S3Access | null | undefined): StoredVault {
  if (access === null || access === undefined) {
    throw new BackupError(`For ${url}, the URL and the keys of the store are needed.`);
  }
  const { client, prefix } = connect(url, access);
  const keyOf = (path: string): string => `${prefix}${insideOf("/", path).slice(1)}`;
  const objects = new Map<string, StoredObject>();

  async function* listKeys(pageSize?: number): AsyncGenerator<StoredObject> {
    for await (const page of client.list(prefix, pageSize === undefined ? {} : { pageSize })) yield* page.objects;
  }

  async function list(): Promise<FolderContents> {
    objects.clear();
    const folders = new Set<string>();
    const unreadable: string[] = [];
    for await (const object of listKeys()) {
      const path = object.key.slice(prefix.length);
      const names = path.split("/");
      const isMarker = names.at(-1) === "";
      if (isMarker) names.pop();
      if (names.some((name) => name === "" || name === "." || name === "..")) {
        if (path !== "") unreadable.push(path);
        continue;
      }
      for (let depth = isMarker ? names.length : names.length - 1; depth > 0; depth -= 1) {
        folders.add(names.slice(0, depth).join("/"));
      }
      if (!isMarker) objects.set(path, object);
    }
    return { files: [...objects.keys()].toSorted(), folders: [...folders].toSorted(), links: [], unreadable };
  }

  async function writeFile(path: string, file: BackedUpFile, read: ContentReader): Promise<boolean> {
    return (await client.put(keyOf(path), await toContent(file, read), "new")) !== null;
  }

  async function writeFolder(path: string): Promise<void> {
    await client.put(`${keyOf(path)}/`, Buffer.alloc(0));
  }

  return {
    list: () => withBackupErrors(list),
    identityOf: (path) => Promise.resolve(identityOf(objects.get(path))),
    readInto: (path, { writer, findStored }) =>
      withBackupErrors(async () => {
        const object = await client.head(keyOf(path));
        if (object === null) throw missing(path);
        const hash = createHash("sha256");
        const parts: Part[] = [];
        const isSmall = object.size <= CHUNK_BYTES;
        for await (const piece of readPieces(client, object)) {
          if (piece === null) return null;
          hash.update(piece);
          if (!isSmall) await writer.add(piece, parts);
          else {
            const stored = findStored(hash.copy().digest("hex"), object.size);
            if (stored === undefined) await writer.add(piece, parts);
            else parts.push(...stored);
          }
        }
        return {
          path,
          sha256: hash.digest("hex"),
          size: object.size,
          mode: MODE,
          mtimeNs: String(BigInt(object.modifiedAt.getTime()) * 1_000_000n),
          identity: identityOf(object),
          parts,
        };
      }),
    isEmpty: () => withBackupErrors(async () => (await listKeys(1).next()).done === true),
    clear: () =>
      withBackupErrors(async () => {
        const keys: string[] = [];
        for await (const { key } of listKeys()) keys.push(key);
        // What is in a folder first.
        for (const key of keys.toSorted((one, other) => other.length - one.length)) await client.remove(key);
      }),
    write: (vault, read) => withBackupErrors(() => writeAll(vault, read, { writeFile, writeFolder })),
    writeFile: (path, file, read) => withBackupErrors(() => writeFile(path, file, read)),
    readFile: (path) => withBackupErrors(() => client.read(keyOf(path))),
    rename: (path, to) =>
      withBackupErrors(async () => {
        const object = await client.head(keyOf(path));
        const isFree = (await client.head(keyOf(to))) === null;
        const copied = object === null || !isFree ? null : await client.copy(keyOf(path), keyOf(to), object.etag);
        if (object === null || copied === null) throw new BackupError(`"${path}" cannot be renamed to "${to}".`);
        await client.remove(keyOf(path), object.etag);
      }),
  };
}

interface VaultWriter {
  writeFile(path: string, file: BackedUpFile, read: ContentReader): Promise<boolean>;
  writeFolder(path: string): Promise<void>;
}

async function writeAll(vault: Manifest["vault"], read: ContentReader, writer: VaultWriter): Promise<string[]> {
  const limit = pLimit(CONCURRENT_REQUESTS);
  const writing: Promise<void>[] = [];
  const used = new Set<string>();
  const leftOut = collectLeftOut();
  for await (const file of readFileList(vault.files, read)) {
    for (let end = file.path.lastIndexOf("/"); end > 0; end = file.path.lastIndexOf("/", end - 1)) {
      used.add(file.path.slice(0, end));
    }
    const work: Attempt = {
      async write(watched) {
        if (!(await writer.writeFile(file.path, file, watched))) throw new BackupError(`${file.path} exists already.`);
      },
      // A store keeps nothing of what it was not sent to the end.
      remove: () => Promise.resolve(),
    };
    const write = limit(() => leftOut.attempt(file, read, work));
    write.catch(() => undefined);
    writing.push(write);
    if (limit.pendingCount > CONCURRENT_REQUESTS) await write;
  }
  await Promise.all(writing);
  for (const folder of vault.folders.filter((path) => !used.has(path))) await writer.writeFolder(folder);
  if (writing.length !== vault.fileCount) {
    throw new BackupError(`The list of the backup has ${writing.length} files, but should have ${vault.fileCount}.`);
  }
  return leftOut.paths();
}

function connect(url: string, access: S3Access): { client: S3Client; prefix: string } {
  try {
    const { bucket, prefix } = parseStoreUrl(url);
    return { client: createS3Client(access, bucket, CLIENT_OPTIONS), prefix };
  } catch (error) {
    throw toBackupError(error);
  }
}

/** All pieces are of the same content; null if it has changed meanwhile. */
async function* readPieces(client: S3Client, { key, etag, size }: StoredObject): AsyncGenerator<Buffer | null> {
  for (let start = 0; start < size; start += CHUNK_BYTES) {
    const piece = await client.open(key, { etag, range: { start, length: Math.min(CHUNK_BYTES, size - start) } });
    yield piece === null ? null : await piece.bytes();
  }
}

/** Throws while it is read if it is not the content that was backed up, so that the store gets nothing else. */
async function toContent({ path, size, sha256, parts }: BackedUpFile, read: ContentReader): Promise<StoreContent> {
  async function* pieces(): AsyncGenerator<Buffer> {
    const hash = createHash("sha256");
    for await (const piece of read(parts)) {
      hash.update(piece);
      yield piece;
    }
    if (hash.digest("hex") !== sha256) throw new DamagedError(`${path} is damaged in the backup.`);
  }
  if (size > CHUNK_BYTES) return { size, sha256, read: pieces };
  const all: Buffer[] = [];
  for await (const piece of pieces()) all.push(piece);
  return Buffer.concat(all);
}

function identityOf(object: StoredObject | undefined): string {
  return object === undefined ? "" : `${object.etag}:${object.size}`;
}

function missing(path: string): Error {
  return Object.assign(new Error(`There is no ${path}.`), { code: "ENOENT" });
}
