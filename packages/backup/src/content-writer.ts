import pLimit from "p-limit";
import type { Part } from "./manifest.ts";
import type { ChunkStore } from "./repository/chunk-store.ts";

/** Large enough that a million rows are few files, and small enough to hold several in memory. */
export const CHUNK_BYTES = 4 * 1024 * 1024;
/** Two processors' worth of compressing, one chunk being read. */
const CONCURRENT_CHUNKS = 3;

/** Puts contents into chunks, small ones together. */
export interface ContentWriter {
  /** Adds content, of at most a chunk, to `parts`, which is filled in once its chunk is full. Waits while much is being written. */
  add(content: Buffer, parts: Part[]): Promise<void>;
  /** Waits until everything is stored. Rejects if anything could not be. */
  finish(): Promise<void>;
}

/** Creates a writer to a repository. Equal contents in equal order become equal chunks, so an interrupted backup goes on quickly. */
export function createContentWriter(chunks: ChunkStore): ContentWriter {
  const limit = pLimit(CONCURRENT_CHUNKS);
  const writing = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let waiting: { content: Buffer; parts: Part[] }[] = [];
  let waitingBytes = 0;

  async function store(content: Buffer, entries: typeof waiting): Promise<void> {
    const id = chunks.idOf(content);
    let offset = 0;
    for (const { content: piece, parts } of entries) {
      parts.push([id, offset, piece.byteLength]);
      offset += piece.byteLength;
    }
    const write = limit(() => chunks.put(id, content))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => writing.delete(write));
    writing.add(write);
    while (writing.size > CONCURRENT_CHUNKS) await Promise.race(writing);
    if (failure !== undefined) throw failure.error;
  }

  async function storeWaiting(): Promise<void> {
    if (waiting.length === 0) return;
    const entries = waiting;
    waiting = [];
    waitingBytes = 0;
    await store(Buffer.concat(entries.map(({ content }) => content)), entries);
  }

  return {
    async add(content, parts) {
      if (content.byteLength === 0) return;
      if (content.byteLength > CHUNK_BYTES) throw new RangeError("A chunk is too large.");
      if (content.byteLength === CHUNK_BYTES) return store(content, [{ content, parts }]);
      if (waitingBytes + content.byteLength > CHUNK_BYTES) await storeWaiting();
      waiting.push({ content, parts });
      waitingBytes += content.byteLength;
    },
    async finish() {
      await storeWaiting();
      await Promise.all(writing);
      if (failure !== undefined) throw failure.error;
    },
  };
}
