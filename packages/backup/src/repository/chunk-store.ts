import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectory } from "@workspace/db";
import { BackupError } from "../backup-error.ts";
import type { ChunkCodec } from "./chunk-codec.ts";
import { DRAFT_NAME, placeFile, syncFolder } from "./durable-file.ts";

const CHUNK_NAME = /^[0-9a-f]{64}$/;
const FOLDER_NAME = /^[0-9a-f]{2}$/;

/** Content in pieces, each stored once under a name that is derived from it. */
export interface ChunkStore {
  /** The name under which content is, or would be, stored. */
  idOf(content: Buffer): string;
  has(id: string): boolean;
  /** Stores content under its name, unless it is there already, and reads it back. */
  put(id: string, content: Buffer): Promise<void>;
  /** Throws {@link BackupError} if the chunk is missing or damaged. */
  get(id: string): Promise<Buffer>;
  /** The stored chunks and their sizes on disk. */
  ids(): ReadonlySet<string>;
  remove(id: string): Promise<void>;
  /** Makes everything that was stored survive a power failure. */
  flush(): Promise<void>;
  /** The bytes that have been written since this store was opened. */
  readonly writtenBytes: number;
  readonly writtenChunks: number;
}

/** Opens the chunks of a repository. The caller holds its lock if anything is to be stored or removed. */
export async function openChunkStore(dir: string, codec: ChunkCodec): Promise<ChunkStore> {
  const folders = new Set<string>();
  const known = new Set<string>();
  const touched = new Set<string>([dir]);
  let writtenBytes = 0;
  let writtenChunks = 0;
  for (const folder of await readdir(dir)) {
    if (!FOLDER_NAME.test(folder)) continue;
    folders.add(folder);
    for (const name of await readdir(join(dir, folder))) if (CHUNK_NAME.test(name)) known.add(name);
  }

  const folderOf = (id: string): string => join(dir, id.slice(0, 2));
  const pathOf = (id: string): string => join(folderOf(id), id);

  async function get(id: string): Promise<Buffer> {
    const content = await codec.open(`chunk ${id}`, await readChunk(pathOf(id), id));
    if (codec.idOf(content) !== id) throw new BackupError(`chunk ${id} is damaged: its content has another name.`);
    return content;
  }

  return {
    idOf: codec.idOf,
    has: (id) => known.has(id),
    get,
    ids: () => known,
    async put(id, content) {
      if (known.has(id)) return;
      const folder = folderOf(id);
      if (!folders.has(id.slice(0, 2))) {
        await makeDirectory(folder, { mode: 0o700 });
        folders.add(id.slice(0, 2));
      }
      const sealed = await codec.seal(`chunk ${id}`, content);
      await placeFile(pathOf(id), sealed);
      touched.add(folder);
      if (!(await get(id)).equals(content)) throw new BackupError(`chunk ${id} was not stored as it was written.`);
      known.add(id);
      writtenBytes += sealed.byteLength;
      writtenChunks += 1;
    },
    async remove(id) {
      await rm(pathOf(id), { force: true });
      known.delete(id);
    },
    async flush() {
      for (const folder of touched) await syncFolder(folder);
      touched.clear();
      touched.add(dir);
    },
    get writtenBytes() {
      return writtenBytes;
    },
    get writtenChunks() {
      return writtenChunks;
    },
  };
}

async function readChunk(path: string, id: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new BackupError(`chunk ${id} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

/** Removes what killed processes have left half-written, and returns how many files there were. */
export async function removeDrafts(dir: string): Promise<number> {
  let count = 0;
  for (const folder of [dir, ...(await subfolders(dir))]) {
    for (const name of await readdir(folder)) {
      if (!DRAFT_NAME.test(name)) continue;
      await rm(join(folder, name), { force: true });
      count += 1;
    }
  }
  return count;
}

async function subfolders(dir: string): Promise<string[]> {
  return (await readdir(dir)).filter((name) => FOLDER_NAME.test(name)).map((name) => join(dir, name));
}

/** How many bytes chunks take on disk. */
export async function sizeOfChunks(dir: string, ids: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const id of ids) bytes += (await stat(join(dir, id.slice(0, 2), id)).catch(() => ({ size: 0 }))).size;
  return bytes;
}
