import { expect, it } from "vitest";
import { sampleMemory } from "../../test-kit/sample-memory.ts";
import { mergeHits, parseTurnId, turnIdOf, type FoundTurn } from "./search-hits.ts";

const memory = (id: string) => sampleMemory({ id });
const turn = (position: number): FoundTurn => ({
  sessionId: "a:b",
  projectPath: null,
  position,
  kind: "user",
  toolName: null,
  occurredAt: null,
  excerpt: "The basket",
});

it("the best memory and the best turn come first, and literal matches that were not ranked last", () => {
  const hits = mergeHits({
    ranked: [memory("a"), memory("b"), memory("c")],
    turns: [turn(7), turn(2)],
    others: [memory("b"), memory("d")],
  });
  expect(hits.map(({ id }) => id)).toEqual(["a", "turn:7:a:b", "b", "turn:2:a:b", "c", "d"]);
});

it("the id of a turn says where it is, that of a memory does not", () => {
  expect(parseTurnId(turnIdOf(turn(7)))).toEqual({ sessionId: "a:b", position: 7 });
  expect(parseTurnId("0199a1b2-0000-7000-8000-000000000000")).toBeUndefined();
});
