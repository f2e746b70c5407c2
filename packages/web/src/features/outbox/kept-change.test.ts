import { expect, it } from "vitest";
import { chosenIdOf, newLocalId } from "../../api/local-id.ts";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { fieldsInConflict, missingIn, serverIdOf } from "./kept-change.ts";

it("only fields that were changed elsewhere to something else are in conflict", () => {
  const current = sampleTask({ title: "Theirs", status: "done", priority: 3, tags: ["a"] });
  const patch = { title: "Mine", status: "done", priority: 1, tags: ["a", "b"] } as const;
  const before = { title: "Before", status: "todo", priority: 3, tags: ["a"] } as const;
  const change = { ...patch, tags: [...patch.tags] };
  expect(fieldsInConflict(change, { ...before, tags: [...before.tags] }, current)).toEqual(["title"]);
  expect(missingIn(current, change)).toEqual({ title: "Mine", priority: 1, tags: ["a", "b"] });
});

it("nothing is missing once a change has arrived, also without a response", () => {
  const current = sampleTask({ title: "Mine", description: null });
  expect(missingIn(current, { title: "Mine", description: null })).toEqual({});
});

it("a task has the same id at each attempt to create it", () => {
  const local = newLocalId();
  expect(serverIdOf(local)).toBe(chosenIdOf(local));
  expect(serverIdOf(local)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(serverIdOf("0190f3a0-0000-7000-8000-000000000001")).toBe("0190f3a0-0000-7000-8000-000000000001");
});
