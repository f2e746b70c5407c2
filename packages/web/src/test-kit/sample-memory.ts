import type { Memory } from "../features/memory/memory.ts";

export function sampleMemory(part: Partial<Memory> = {}): Memory {
  return {
    id: "memory-1",
    sessionId: null,
    projectPath: null,
    chunkType: "fact",
    content: "The nightly backup runs at 3:00.",
    sourceExcerpt: null,
    sourceTurn: null,
    relevanceScore: 1,
    accessCount: 0,
    lastAccessedAt: null,
    nearDuplicateOfId: null,
    awaitsReview: false,
    supersededById: null,
    supersededAt: null,
    citations: [],
    withheldAt: null,
    deletedAt: null,
    createdAt: "2026-11-20T10:00:00.000Z",
    ...part,
  };
}
