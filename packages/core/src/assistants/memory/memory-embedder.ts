import { transaction, type Db, type PoolClient } from "@workspace/db";
import { claimLeadership, lockLeadership, releaseLeadership } from "../../platform/leadership.queries.ts";
import type { ProcessRegistry } from "../../platform/process-registry.ts";
import { EmbeddingError, type EmbeddingModel } from "./embedding-model.ts";
import { toSignature } from "./embedding-signature.ts";
import {
  selectUnembeddedMemories,
  storeMemoryEmbeddings,
  type MemoryEmbedding,
  type MemoryWindow,
  type UnembeddedMemory,
} from "./memory-embedding.queries.ts";

const LEADERSHIP = "memory-embeddings";
/** As many texts as any endpoint accepts at once. */
const BATCH_SIZE = 32;
/** Longer texts are cut, to what most models read, and then to what all of them do if they are refused. */
const MAX_CHARACTERS = 8_000;
const MIN_CHARACTERS = 1_000;
/** A text that no model refuses. */
const ORDINARY_TEXT = "memory";
const CALL_TIMEOUT_MS = 60_000;

export interface MemoryEmbedderDeps {
  readonly db: Db;
  readonly processes: Pick<ProcessRegistry, "processId">;
  readonly model: EmbeddingModel;
  readonly signal: AbortSignal;
}

export interface MemoryEmbedder {
  /**
   * Gives some memories of a window their vectors. Returns false if none lacks one, or if it is up to another process. Throws
   * {@link EmbeddingError}, and the signal's reason if it aborts.
   */
  embedSome(window: Pick<MemoryWindow, "before" | "end">): Promise<boolean>;
}

/** Asks the model for vectors of memories and stores them. */
export function createMemoryEmbedder({ db, processes, model, signal }: MemoryEmbedderDeps): MemoryEmbedder {
  /** The space of the model's vectors, once it is known. */
  let space: string | null = null;

  async function ask(texts: readonly string[], save?: Parameters<EmbeddingModel["embed"]>[1]): Promise<string> {
    const embeddings = await model.embed({ texts, purpose: "memories", timeoutMs: CALL_TIMEOUT_MS, signal }, save);
    return embeddings.space;
  }

  async function embed(memories: readonly UnembeddedMemory[], epoch: number, maxCharacters: number): Promise<void> {
    const texts = memories.map(({ content }) => content.slice(0, maxCharacters).toWellFormed());
    space = await ask(texts, async (client, { space, vectors }) => {
      const signatures = vectors.map(toSignature);
      const toEmbedding = (memory: UnembeddedMemory, index: number) => ({
        ...keyOf(memory),
        signature: signatures[index] ?? null,
      });
      await store(client, epoch, space, memories.map(toEmbedding));
    });
  }

  async function embedAll(memories: readonly UnembeddedMemory[], epoch: number): Promise<void> {
    try {
      await embed(memories, epoch, MAX_CHARACTERS);
    } catch (error) {
      if (!isAboutTexts(error)) throw error;
      // Fails if it is not about the texts after all.
      space = await ask([ORDINARY_TEXT]);
      for (const memory of memories) await embedAlone(memory, epoch, space);
    }
  }

  /** A memory whose text is refused even if it is short gets no vector. */
  async function embedAlone(memory: UnembeddedMemory, epoch: number, space: string): Promise<void> {
    for (const maxCharacters of [MAX_CHARACTERS, MIN_CHARACTERS]) {
      try {
        return await embed([memory], epoch, maxCharacters);
      } catch (error) {
        if (!isAboutTexts(error)) throw error;
      }
    }
    await transaction(db.pool, (client) => store(client, epoch, space, [{ ...keyOf(memory), signature: null }]));
  }

  return {
    async embedSome(window) {
      signal.throwIfAborted();
      space ??= await ask([ORDINARY_TEXT]);
      const memories = await selectUnembeddedMemories(db.pool, { ...window, space, limit: BATCH_SIZE });
      const epoch = memories.length === 0 ? null : await claimLeadership(db.pool, LEADERSHIP, processes.processId);
      if (epoch === null) return false;
      try {
        await embedAll(memories, epoch);
      } catch (error) {
        // Another process may have more luck.
        await releaseLeadership(db.pool, LEADERSHIP, epoch).catch(() => undefined);
        throw error;
      }
      return true;
    },
  };
}

/** Stores nothing if another process has taken over. */
async function store(
  client: PoolClient,
  epoch: number,
  space: string,
  embeddings: readonly MemoryEmbedding[],
): Promise<void> {
  if (await lockLeadership(client, LEADERSHIP, epoch)) await storeMemoryEmbeddings(client, space, embeddings);
}

function keyOf({ id, contentKey }: UnembeddedMemory): Pick<MemoryEmbedding, "memoryId" | "contentKey"> {
  return { memoryId: id, contentKey };
}

function isAboutTexts(error: unknown): boolean {
  return error instanceof EmbeddingError && error.isAboutTexts;
}
