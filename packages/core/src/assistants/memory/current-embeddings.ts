import type { Logger } from "../../platform/logger.ts";
import { repeat, type Closable } from "../../platform/repeat.ts";
import type { EmbeddingModel } from "./embedding-model.ts";
import type { MemoryEmbeddings } from "./memory-embeddings.ts";

/** How soon each process goes over to an embedding model that a person has chosen. */
const CHECK_EVERY_MS = 1_000;

export interface CurrentEmbeddingsDeps {
  readonly logger: Logger;
  /** Returns the model that is configured now, the same object until it changes; null if there is none. */
  readonly readModel: () => Promise<EmbeddingModel | null>;
  /** Opens what gives memories the vectors of a model. */
  readonly open: (model: EmbeddingModel | null) => MemoryEmbeddings;
}

/** The vectors of memories by whichever embedding model is configured: it may change while the server runs. */
export function createCurrentEmbeddings({ logger, readModel, open }: CurrentEmbeddingsDeps): MemoryEmbeddings {
  let model: EmbeddingModel | null = null;
  let current = open(null);
  let first: Promise<void> | undefined;
  let following: Closable | undefined;

  async function follow(): Promise<void> {
    const next = await readModel();
    if (next === model) return;
    const before = current;
    [model, current] = [next, open(next)];
    await before.close();
    if (following !== undefined) await current.start();
  }

  const followOnce = () => (first ??= follow());

  return {
    get isConfigured() {
      return current.isConfigured;
    },
    get problem() {
      return current.problem;
    },
    async find(query, waitMs) {
      await followOnce();
      return current.find(query, waitMs);
    },
    async start() {
      if (following !== undefined) return;
      await followOnce();
      const onError = (error: unknown) => logger.warn({ err: error }, "the embedding model's settings cannot be read");
      following = repeat(follow, { everyMs: CHECK_EVERY_MS, onError });
      await current.start();
    },
    async catchUp() {
      await follow();
      await current.catchUp();
    },
    async close() {
      await following?.close();
      await current.close();
    },
  };
}
