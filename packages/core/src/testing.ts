export { eventually } from "./testing/eventually.ts";
export { startModelDouble } from "./testing/model-double.ts";
export type { ModelDouble, ModelDoubleRequest, ModelFault, ModelReply } from "./testing/model-double.ts";
// Single domains, for benches that measure one of them without the rest of the service.
export { createHookStatisticsService } from "./hooks/hook-statistics.service.ts";
export type { HookStatisticsService } from "./hooks/hook-statistics.service.ts";
export { createMemoryExtractionService } from "./memory/memory-extraction.service.ts";
export { createMemoryService } from "./memory/memory.service.ts";
export { similarityKeys } from "./memory/similarity-keys.ts";
export { loadLabelledSet } from "./memory/labelled-set/labelled-set.ts";
export { measureExtraction } from "./memory/labelled-set/measure-extraction.ts";
export { measureRanking } from "./memory/labelled-set/measure-ranking.ts";
export { createScriptedModel } from "./memory/labelled-set/scripted-model.ts";
export { createTestDeps } from "./testing/test-deps.ts";
export { createTranscriptSource } from "./transcripts/transcript-source.ts";
export { deriveEncryptionKey, openSecret, sealSecret } from "./secrets/secret-box.ts";
