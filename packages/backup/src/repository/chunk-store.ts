import { BackupError } from "../backup-error.ts";
import type { BackupStorage } from "../storage/backup-storage.ts";
import type { ChunkCodec } from "./chunk-codec.ts";
import { createChunkReader, FOLDER, listLost, nameOf, noteMissing } from "./chunk-reader.ts";

const OBJECT_NAME = /^chunks\/[0-9a-f]{2}\/([0-9a-f]{64})$/;

/** Content in pieces, each stored once under a name that is derived from it. */
export interface ChunkStore {
  /** The name under which content is, or would be, stored. */
  idOf(content: Buffer): string;
  has(id: string): boolean;
  /** Stores content under its name, unless it is there already, undamaged, and reads it back. */
  put(id: string, content: Buffer): Promise<void>;
  /**
   * Throws {@link DamagedError} if the chunk is missing or damaged. One that is, both times that it is read, is set aside if the
   * place can be written: it counts as missing from then on, so that the next backup stores it anew.
   */
  get(id: string): Promise<Buffer>;
  /** The stored chunks, with the sizes that they have where they are stored. */
  sizes(): ReadonlyMap<string, number>;
  remove(ids: readonly string[]): Promise<void>;
  /** The bytes that have been written since this store was opened. */
  readonly writtenBytes: number;
  readonly writtenChunks: number;
  /** How many damaged chunks this store has set aside. */
  readonly setAsideChunks: number;
  /** The chunks that were set aside or noted as missing, and have not been stored anew since. */
  listLost(): Promise<ReadonlySet<string>>;
  /** Notes which chunks backups need that are gone, in place of what was noted before. */
  noteMissing(ids: ReadonlySet<string>): Promise<void>;
}

/** The stored chunks and their sizes. */
export async function listChunks(storage: BackupStorage): Promise<Map<string, number>> {
  const chunks = new Map<string, number>();
  for (const [name, size] of await storage.list(FOLDER)) {
    const id = OBJECT_NAME.exec(name)?.[1];
    if (id !== undefined) chunks.set(id, size);
  }
  return chunks;
}

/**
 * Opens the chunks of a repository, of which those in `known` are stored already. The caller holds its lock if anything is to be
 * stored, removed or set aside.
 */
export function openChunkStore(
  storage: BackupStorage,
  codec: ChunkCodec,
  { known, isLocked }: { readonly known: Map<string, number>; readonly isLocked: boolean },
): ChunkStore {
  let writtenBytes = 0;
  let writtenChunks = 0;

  /** Those that this process has read back. */
  const checked = new Set<string>();

  const { get, setAsideIds } = createChunkReader({
    storage,
    codec,
    isLocked,
    onSetAside(id) {
      known.delete(id);
      checked.delete(id);
    },
  });

  async function isIntact(id: string): Promise<boolean> {
    try {
      await get(id);
      return true;
    } catch {
      return false;
    }
  }

  return {
    idOf: codec.idOf,
    has: (id) => known.has(id),
    get,
    sizes: () => known,
    listLost: () => listLost(storage),
    noteMissing: (ids) => noteMissing(storage, ids),
    async put(id, content) {
      if (checked.has(id)) return;
      // Whoever stored it may have been killed before it was read back, and before its name was durable.
      if (known.has(id) && (await isIntact(id))) {
        await storage.keep(nameOf(id));
        checked.add(id);
        return;
      }
      const sealed = await codec.seal(`chunk ${id}`, content);
      await storage.write(nameOf(id), sealed);
      if (!(await get(id)).equals(content)) throw new BackupError(`chunk ${id} was not stored as it was written.`);
      known.set(id, sealed.byteLength);
      checked.add(id);
      writtenBytes += sealed.byteLength;
      writtenChunks += 1;
    },
    async remove(ids) {
      await storage.remove(ids.map(nameOf));
      for (const id of ids) {
        known.delete(id);
        checked.delete(id);
      }
    },
    get writtenBytes() {
      return writtenBytes;
    },
    get writtenChunks() {
      return writtenChunks;
    },
    get setAsideChunks() {
      return setAsideIds.size;
    },
  };
}
