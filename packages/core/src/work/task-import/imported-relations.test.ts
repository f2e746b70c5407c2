import { expect, test } from "vitest";
import { relationsOf, type RelatedEntry } from "./imported-relations.ts";

const entry = (id: string, blockers: string[] = [], fields: Partial<RelatedEntry> = {}): RelatedEntry => ({
  id,
  parentId: null,
  blockers,
  related: [],
  ...fields,
});
const shown = (entries: readonly RelatedEntry[]) =>
  Object.fromEntries([...relationsOf(entries)].map(([id, { blockers }]) => [id, [...blockers].join(" ")]));

test("tasks wait for others of the file, once, and in no circle", () => {
  expect(
    shown([entry("a", ["b", "b", "a", "unknown"]), entry("b"), entry("c", ["d", "a"]), entry("d", ["c"])]),
  ).toEqual({
    a: "b",
    b: "",
    c: "a",
    d: "",
  });
});

test("a task does not wait for what it is a part of, nor for what waits for that", () => {
  const part = { parentId: "whole" };
  expect(
    shown([entry("whole"), entry("part", ["whole"], part), entry("other", ["after"], part), entry("after", ["whole"])]),
  ).toEqual({ whole: "", part: "", other: "", after: "" });
  expect(shown([entry("whole"), entry("part", ["first"], part), entry("first")])).toMatchObject({ part: "first" });
});

test("a part of a task that exists waits for nothing", () => {
  expect(shown([entry("a", ["b"], { parentId: "existing" }), entry("b", ["a"])])).toEqual({ a: "", b: "" });
});

test("a task has at most 100 relations of a kind", () => {
  const others = Array.from({ length: 150 }, (_, index) => `${index}`);
  const entries = [entry("a", others, { related: others }), ...others.map((id) => entry(id, [], { related: ["a"] }))];
  const relations = relationsOf(entries).get("a");
  expect([relations?.blockers.size, relations?.related.size]).toEqual([100, 100]);
});

test("a long chain takes no more stack than there is", () => {
  const chain = Array.from({ length: 10_000 }, (_, index) => entry(`${index}`, index === 0 ? [] : [`${index - 1}`]));
  expect([...relationsOf(chain).values()].filter(({ blockers }) => blockers.size === 1)).toHaveLength(9_999);
});
