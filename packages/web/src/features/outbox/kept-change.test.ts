import { expect, it } from "vitest";
import { chosenIdOf, newLocalId } from "../../api/local-id.ts";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { fieldsInConflict, isTakenBack, missingIn, serverIdOf, type KeptChange } from "./kept-change.ts";

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

it("a deletion is taken back by a later restoration of the same, whatever else was kept in between", () => {
  const kept = (number: number, rowId: string, change: KeptChange["change"]): KeptChange => ({
    number,
    userId: "ada",
    rowId,
    title: rowId,
    change,
    problem: null,
  });
  const at = "2026-11-27T00:00:00Z";
  const local = newLocalId();
  const changes = [
    kept(1, "one", { kind: "delete", at }),
    kept(2, "other", { kind: "delete", at }),
    kept(3, "one", { kind: "restore", at }),
    kept(4, "one", { kind: "delete", at }),
    kept(5, local, { kind: "delete", at }),
    kept(6, serverIdOf(local), { kind: "restore", at }),
    kept(7, "two", { kind: "delete-project", at }),
    kept(8, "two", { kind: "restore-project", at }),
  ];
  expect(changes.filter((change) => isTakenBack(change, changes)).map(({ number }) => number)).toEqual([1, 5, 7]);
});
