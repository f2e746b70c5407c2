import { expect, test } from "vitest";
import { byOccasion } from "./memory-occasions.ts";

const given = (memoryId: string, reason: "session_start" | "prompt", givenAt: string) => ({
  memoryId,
  reason,
  subject: reason === "prompt" ? "When is the release?" : null,
  givenAt,
  tokens: 80,
  chunkType: "fact" as const,
  content: memoryId,
  usedAt: null,
  isUseVisible: false,
  notUsefulAt: null,
});

test("what was given at the same time is one occasion, in the order of time", () => {
  const memories = [given("a", "session_start", "1"), given("b", "session_start", "1"), given("c", "prompt", "2")];
  const occasions = byOccasion([...memories, given("d", "prompt", "3")]);
  expect(occasions.map((occasion) => occasion.memories.map(({ memoryId }) => memoryId))).toEqual([
    ["a", "b"],
    ["c"],
    ["d"],
  ]);
  expect(occasions[1]).toMatchObject({ reason: "prompt", subject: "When is the release?", tokens: 80 });
  expect(byOccasion([])).toEqual([]);
});
