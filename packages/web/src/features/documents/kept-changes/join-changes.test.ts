import { expect, it } from "vitest";
import type { DocumentChange, KeptChange } from "../../outbox/kept-change.ts";
import { findJoinable, joinedChange } from "./join-changes.ts";

const move = (from: string, path: string) => ({ kind: "move-document", path, formerPaths: [from] }) as const;
const restore = { kind: "restore-document" } as const;
const remove = { kind: "delete-document", seen: { hash: "1", content: null }, at: "2026-11-27T00:00:00Z" } as const;
const tag = (before: string[], tags: string[]) =>
  ({ kind: "update-document", patch: { tags }, before: { tags: before }, earlier: [] }) as const;

function keep(...changes: readonly (readonly [string, KeptChange["change"]])[]): KeptChange[] {
  return changes.map(([rowId, change], index) => ({
    number: index + 1,
    userId: "ada",
    rowId,
    title: rowId,
    change,
    problem: null,
  }));
}

function joinableWith(later: DocumentChange, ...changes: readonly (readonly [string, KeptChange["change"]])[]) {
  return findJoinable(keep(...changes), "one", later)?.number;
}

it("two moves are one, from all paths of before", () => {
  const joined = joinedChange(move("A.md", "B.md"), move("B.md", "C.md"));
  expect(joined).toEqual({ kind: "move-document", path: "C.md", formerPaths: ["A.md", "B.md"] });
});

it("two changes of properties are one, of what was there first", () => {
  expect(joinedChange(tag([], ["a"]), tag(["a"], ["a", "b"]))).toEqual({
    kind: "update-document",
    patch: { tags: ["a", "b"] },
    before: { tags: [] },
    earlier: [{ tags: ["a"] }],
  });
});

it("a restoration takes the place of the deletion, and the other way round", () => {
  expect(joinedChange(remove, restore)).toEqual(restore);
  expect(joinedChange(restore, remove)).toEqual(remove);
  expect(joinedChange(remove, move("A.md", "B.md"))).toBeNull();
});

it("what was kept in between is not overtaken if the later change depends on it", () => {
  const moved = ["one", move("A.md", "B.md")] as const;
  expect(joinableWith(move("B.md", "C.md"), moved)).toBe(1);
  expect(joinableWith(move("B.md", "C.md"), moved, ["one", tag([], ["a"])])).toBe(1);
  // It may be moved into this folder, or to the path that this file had.
  expect(joinableWith(move("B.md", "F/B.md"), moved, ["f", { kind: "create-folder", path: "F" }])).toBeUndefined();
  expect(joinableWith(move("B.md", "C.md"), moved, ["other", move("C.md", "D.md")])).toBeUndefined();
  expect(joinableWith(move("B.md", "C.md"), moved, ["one", remove], ["one", restore])).toBeUndefined();
  expect(joinableWith(tag(["a"], []), ["one", tag([], ["a"])], ["other", move("C.md", "D.md")])).toBe(1);
});

it("a change of another file or of something else is never joined", () => {
  expect(joinableWith(move("B.md", "C.md"), ["other", move("A.md", "B.md")])).toBeUndefined();
  expect(joinableWith(restore)).toBeUndefined();
});
