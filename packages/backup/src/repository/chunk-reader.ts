import { dirname } from "node:path/posix";
import { BackupError, DamagedError } from "../backup-error.ts";
import type { BackupStorage } from "../storage/backup-storage.ts";
import type { ChunkCodec } from "./chunk-codec.ts";

/** Where chunks are in their place. */
export const FOLDER = "chunks";
/** Where damaged chunks are kept for a person who wants to look at them. */
const DAMAGED = "damaged";
/** The names of chunks that backups need and that were gone, one a line. */
const MISSING = `${DAMAGED}/missing.txt`;
const CHUNK_ID = /^[0-9a-f]{64}$/;

/** The name of the object that has a chunk. */
export const nameOf = (id: string): string => `${FOLDER}/${id.slice(0, 2)}/${id}`;

export interface ChunkReaderOptions {
  readonly storage: BackupStorage;
  readonly codec: ChunkCodec;
  /** Whether this process may set chunks aside. */
  readonly isLocked: boolean;
  readonly onSetAside: (id: string) => void;
}

/** Reads chunks, and sets aside those that are damaged. */
export function createChunkReader({ storage, codec, isLocked, onSetAside }: ChunkReaderOptions) {
  const setAsideIds = new Set<string>();

  async function open(id: string, sealed: Buffer): Promise<Buffer> {
    const content = await codec.open(`chunk ${id}`, sealed);
    if (codec.idOf(content) !== id) throw new DamagedError(`chunk ${id} is damaged: its content has another name.`);
    return content;
  }

  async function openAgain(id: string, sealed: Buffer): Promise<Buffer | null> {
    try {
      return await open(id, sealed);
    } catch (error) {
      if (error instanceof DamagedError) return null;
      throw error;
    }
  }

  /** Leaves the chunk where it is if the place cannot be written. */
  async function setAside(id: string, sealed: Buffer): Promise<void> {
    if (!isLocked) return;
    try {
      await storage.write(`${DAMAGED}/${id}`, sealed);
      await storage.flush();
      await storage.remove([nameOf(id)]);
      await storage.flush();
    } catch {
      return;
    }
    setAsideIds.add(id);
    onSetAside(id);
  }

  return {
    setAsideIds,
    /** See `ChunkStore.get`. */
    async get(id: string): Promise<Buffer> {
      const sealed = await readChunk(storage, id);
      try {
        return await open(id, sealed);
      } catch (error) {
        if (!(error instanceof DamagedError)) throw error;
        // What was only read wrongly is read correctly now.
        const again = await readChunk(storage, id);
        const content = await openAgain(id, again);
        if (content !== null) return content;
        if (sealed.equals(again)) await setAside(id, sealed);
        throw error;
      }
    },
  };
}

/** Stores the names of all chunks that backups need and that are gone. */
export async function noteMissing(storage: BackupStorage, ids: ReadonlySet<string>): Promise<void> {
  const text = [...ids].toSorted().join("\n");
  if (((await storage.read(MISSING))?.toString() ?? "") === text) return;
  await (text === "" ? storage.remove([MISSING]) : storage.write(MISSING, Buffer.from(text)));
  await storage.flush();
}

/** The chunks that were set aside or noted as missing, and have not been stored anew since. */
export async function listLost(storage: BackupStorage): Promise<Set<string>> {
  const names = [...(await storage.list(DAMAGED)).keys()];
  const missing = names.includes(MISSING) ? ((await storage.read(MISSING))?.toString().split("\n") ?? []) : [];
  const ids = [...names.map((name) => name.slice(DAMAGED.length + 1)), ...missing];
  const lost = new Set(ids.filter((id) => CHUNK_ID.test(id)));
  for (const folder of new Set([...lost].map((id) => dirname(nameOf(id))))) {
    for (const name of (await storage.list(folder)).keys()) lost.delete(name.slice(folder.length + 1));
  }
  return lost;
}

async function readChunk(storage: BackupStorage, id: string): Promise<Buffer> {
  const sealed = await storage.read(nameOf(id)).catch((cause: unknown) => {
    throw new BackupError(`chunk ${id} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  });
  if (sealed === null) throw new DamagedError(`chunk ${id} is missing, or was damaged and set aside.`);
  return sealed;
}
