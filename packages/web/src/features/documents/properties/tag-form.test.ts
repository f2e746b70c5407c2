import { expect, test } from "vitest";
import { countTags, isTagName, isTagWithin, tagTree } from "./tag-form.ts";

test("numbers and colours are no tags", () => {
  expect(["a", "größe", "a/b", "y2k", "cafe", "facade"].every(isTagName)).toBe(true);
  expect(["", "12", "fff", "1e90ff", "a b", "/a", "a/", "a//b", "a".repeat(101)].some(isTagName)).toBe(false);
});

test("a tag is within those above it", () => {
  expect(isTagWithin("Bird/heron", "bird")).toBe(true);
  expect(isTagWithin("birdcage", "bird")).toBe(false);
});

test("each document counts once for a tag", () => {
  const documents = [
    { tags: ["Bird"], textTags: ["bird", "a"] },
    { tags: [], textTags: ["bird"] },
  ];
  expect(countTags(documents)).toEqual([
    { tag: "a", count: 1 },
    { tag: "Bird", count: 2 },
  ]);
});

test("a tag is indented below the one in which it is nested, but not below another", () => {
  const tags = ["a", "b/c", "House", "house-plan", "house/roof", "house/roof/tiles"].map((tag) => ({ tag, count: 1 }));
  expect(tagTree(tags).map(({ tag, depth }) => [tag, depth])).toEqual([
    ["a", 0],
    ["b/c", 0],
    ["House", 0],
    ["house/roof", 1],
    ["house/roof/tiles", 2],
    ["house-plan", 0],
  ]);
});
