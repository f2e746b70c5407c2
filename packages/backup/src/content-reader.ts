import { DamagedError } from "./backup-error.ts";
import type { Part } from "./manifest.ts";
import type { ChunkStore } from "./repository/chunk-store.ts";

/** Small files that were stored together are read one after another. */
const KEPT_CHUNKS = 4;

/** Reads contents from chunks. */
export type ContentReader = (parts: readonly Part[]) => AsyncGenerator<Buffer>;

/** Creates a reader that keeps the last few chunks in memory. */
export function createContentReader(chunks: Pick<ChunkStore, "get">): ContentReader {
  const kept = new Map<string, Promise<Buffer>>();

  function getChunk(id: string): Promise<Buffer> {
    const chunk = kept.get(id) ?? chunks.get(id);
    kept.delete(id);
    kept.set(id, chunk);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_CHUNKS && oldest !== undefined) kept.delete(oldest);
    return chunk;
  }

  return async function* read(parts) {
    for (const [id, offset, length] of parts) {
      const chunk = await getChunk(id);
      if (offset + length > chunk.byteLength) throw new DamagedError(`chunk ${id} is shorter than its list says.`);
      yield chunk.subarray(offset, offset + length);
    }
  };
}
