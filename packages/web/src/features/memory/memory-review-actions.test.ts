import { expect, it } from "vitest";
import { sampleMemory } from "../../test-kit/sample-memory.ts";
import { memoriesKeptBy } from "./memory-review-actions.ts";

const now = Date.parse("2026-11-23T10:00:00.000Z");
const memories = [
  sampleMemory({ id: "new", awaitsReview: true, createdAt: "2026-11-23T09:00:00.000Z" }),
  sampleMemory({ id: "old", awaitsReview: true, createdAt: "2026-11-16T10:00:00.000Z" }),
  sampleMemory({ id: "reviewed", createdAt: "2026-11-01T10:00:00.000Z" }),
];

it.each([
  [0, ["new", "old"]],
  [7, ["old"]],
  [30, []],
  [null, []],
])("a period of %s days keeps %j of the queue", (period, ids) => {
  expect(memoriesKeptBy(memories, period, now).map(({ id }) => id)).toEqual(ids);
});
