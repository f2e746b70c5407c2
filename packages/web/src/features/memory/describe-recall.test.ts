import { describe, expect, it } from "vitest";
import { sampleMemory } from "../../test-kit/sample-memory.ts";
import { recallFactors, describeRecall, type Recall } from "./describe-recall.ts";

const recall: Recall = {
  memory: sampleMemory({ projectPath: "/home/ada/shop" }),
  isInScope: true,
  rank: 2,
  score: 0.8,
  factors: {
    relevance: 0.9,
    recency: 0.5,
    ageDays: 180.4,
    halfLifeDays: 180,
    use: 0.25,
    accessCount: 1,
    usefulness: 0.7,
  },
  outcomes: { used: 3, unused: 8, notUseful: 1 },
  extractedAt: null,
};

describe("describeRecall", () => {
  it("says that a session recalls it", () => {
    expect(describeRecall(recall)).toBe(
      "It ranks number 2 for sessions in shop, so a new session recalls it at its start.",
    );
  });

  it("says that others rank first", () => {
    expect(describeRecall({ ...recall, rank: 1204 })).toContain("number 1,204");
    expect(describeRecall({ ...recall, rank: 11 })).toContain("at most the first 10");
  });

  it("says why it has no rank", () => {
    expect(describeRecall({ ...recall, isInScope: false, rank: null })).toContain("another project");
    expect(describeRecall({ ...recall, rank: null })).toContain("too old");
    const memory = sampleMemory({ nearDuplicateOfId: "other" });
    expect(describeRecall({ ...recall, memory, rank: null })).toContain("may repeat another memory");
    const replaced = sampleMemory({ supersededById: "newer" });
    expect(describeRecall({ ...recall, memory: replaced, rank: null })).toContain("Another memory replaced it");
    const withheld = sampleMemory({ withheldAt: "2026-11-20T10:00:00.000Z" });
    expect(describeRecall({ ...recall, memory: withheld, rank: null })).toContain("It is withheld");
  });
});

it("explains what the rank is based on", () => {
  expect(recallFactors(recall).map(({ name, words }) => `${name}: ${words}`)).toEqual([
    "Relevance: 90 %",
    "Recency: 180 days old, halves every 180 days",
    "Use: found in 1 search",
    "Usefulness: used in 3 of 12 sessions, marked as not useful in 1",
  ]);
});

it("describes a new memory that was never found", () => {
  const factors = { ...recall.factors, ageDays: 0.4, accessCount: 0, usefulness: 1 };
  const fresh = { ...recall, factors, outcomes: { used: 0, unused: 0, notUseful: 0 } };
  expect(recallFactors(fresh).map(({ words }) => words)).toEqual([
    "90 %",
    "new today, halves every 180 days",
    "not found in a search yet",
    "not known from any session yet",
  ]);
});
