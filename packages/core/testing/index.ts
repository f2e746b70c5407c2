export { eventually } from "./eventually.ts";
export { startModelDouble } from "./model-double.ts";
export type { ModelDouble, ModelDoubleRequest, ModelFault, ModelReply } from "./model-double.ts";
// Single domains, for benchmarks that measure one without the rest of the service.
export { createHookStatisticsService } from "../src/assistants/hooks/hook-statistics.service.ts";
export type { HookStatisticsService } from "../src/assistants/hooks/hook-statistics.service.ts";
export { createMemoryExtractionService } from "../src/assistants/memory/memory-extraction.service.ts";
export { createMemoryService } from "../src/assistants/memory/memory.service.ts";
export { toSearchVector } from "../src/assistants/memory/search-vector.ts";
export { storeSearchVectors } from "../src/assistants/memory/search-vector.queries.ts";
export { similarityKeys } from "../src/assistants/memory/similarity-keys.ts";
export { loadLabelledSet } from "./labelled-set/labelled-set.ts";
export { measureExtraction } from "./labelled-set/measure-extraction.ts";
export { measureRanking } from "./labelled-set/measure-ranking.ts";
export { createScriptedModel } from "./labelled-set/scripted-model.ts";
export { createTestDeps } from "./test-deps.ts";
export { createTranscriptSource } from "../src/assistants/transcripts/transcript-source.ts";
export { deriveEncryptionKey, openSecret, sealSecret } from "../src/access/secrets/secret-box.ts";
