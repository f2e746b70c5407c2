import { expect, test } from "vitest";
import { addToActivity } from "./activity-list.ts";
import type { ResourceChange } from "../resources/resource-change.ts";

const change = (seq: number, part: Partial<ResourceChange> = {}): ResourceChange => ({
  type: "resource_change",
  seq,
  resource: "task",
  action: "edit",
  resourceId: "one",
  resourceName: "Water the plants",
  timestamp: "2026-06-01T12:00:00.000Z",
  ...part,
});
const collect = (...changes: ResourceChange[]) =>
  changes.reduce<readonly ResourceChange[]>(addToActivity, []).map(({ seq }) => seq);

test("repeated changes to the same resource are listed once, at the time of the last one", () => {
  expect(collect(change(1), change(2, { resourceId: "two" }), change(3))).toEqual([3, 2]);
  expect(collect(change(1, { action: "create" }), change(2))).toEqual([2, 1]);
  expect(collect(change(1, { resource: "hook" }), change(2, { resource: "hook", resourceId: "two" }))).toEqual([2]);
});

test("the list stays short, and model calls are omitted", () => {
  const many = Array.from({ length: 50 }, (_, index) => change(index, { resourceId: `${index}` }));
  expect(collect(...many)).toHaveLength(20);
  expect(collect(change(1, { resource: "usage" }))).toEqual([]);
});
