import { expect, test } from "vitest";
import { countTags, isTagName, isTagWithin } from "./tag-form.ts";

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
