import { createMemoryEmbeddings, type MemoryEmbeddings } from "../src/assistants/memory/memory-embeddings.ts";
import { createEmbeddingAccess } from "../src/models/gateway/embedding-access.ts";
import { createSpendGuard } from "../src/models/usage/spend-guard.ts";
import { createPriceTable } from "../src/models/usage/token-price.ts";
import { createProcessRegistry } from "../src/platform/process-registry.ts";
import type { TestDeps } from "./test-deps.ts";

export interface TestEmbeddingsOptions {
  /** Of an endpoint, such as that of the model double. */
  readonly baseUrl: string;
  readonly model?: string;
}

/** Vectors of memories, which are made when `catchUp` is called. Has to be closed. */
export async function createTestEmbeddings(
  deps: TestDeps,
  { baseUrl, model = "double-vectors-1" }: TestEmbeddingsOptions,
): Promise<MemoryEmbeddings> {
  const processes = createProcessRegistry({ ...deps, leaseMs: 30_000 });
  await processes.start();
  const access = createEmbeddingAccess({
    ...deps,
    settings: { apiKey: "key", baseUrl, model, dimensions: null },
    price: createPriceTable().get(model) ?? null,
    guard: createSpendGuard({ ...deps, timeZone: "UTC", readDailyLimit: async () => null }),
  });
  const embeddings = createMemoryEmbeddings({ ...deps, processes, model: access });
  return {
    ...embeddings,
    get problem() {
      return embeddings.problem;
    },
    async close() {
      await embeddings.close();
      await processes.close();
    },
  };
}
