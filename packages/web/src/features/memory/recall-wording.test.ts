import { describe, expect, it } from "vitest";
import { sampleMemory } from "../../test-kit/sample-memory.ts";
import { recallFactors, sayRecall, type Recall } from "./recall-wording.ts";

const recall: Recall = {
  memory: sampleMemory({ projectPath: "/home/ada/shop" }),
  isInScope: true,
  rank: 2,
  score: 0.8,
  factors: { relevance: 0.9, recency: 0.5, ageDays: 180.4, halfLifeDays: 180, use: 0.25, accessCount: 1 },
  extractedAt: null,
};

describe("sayRecall", () => {
  it("says that a session is told of it", () => {
    expect(sayRecall(recall)).toBe(
      "It is number 2 of what a session in shop should know, so a new session is told of it at its start.",
    );
  });

  it("says that others come first", () => {
    expect(sayRecall({ ...recall, rank: 1204 })).toContain("number 1,204");
    expect(sayRecall({ ...recall, rank: 6 })).toContain("only the first 5");
  });

  it("says why it has no place", () => {
    expect(sayRecall({ ...recall, isInScope: false, rank: null })).toContain("another project");
    expect(sayRecall({ ...recall, rank: null })).toContain("too old");
    const memory = sampleMemory({ nearDuplicateOfId: "other" });
    expect(sayRecall({ ...recall, memory, rank: null })).toContain("may repeat another memory");
  });
});

it("says what the place is made of", () => {
  expect(recallFactors(recall).map(({ name, words }) => `${name}: ${words}`)).toEqual([
    "Relevance: 90 %",
    "Recency: 180 days old, halves every 180 days",
    "Use: found 1 time by searches",
  ]);
});

it("says what is new and what was never found", () => {
  const fresh = { ...recall, factors: { ...recall.factors, ageDays: 0.4, accessCount: 0 } };
  expect(recallFactors(fresh).map(({ words }) => words)).toEqual([
    "90 %",
    "new today, halves every 180 days",
    "not found by a search yet",
  ]);
});
