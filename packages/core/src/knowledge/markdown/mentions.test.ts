import { expect, it } from "vitest";
import { findMentions } from "./mentions.ts";

const found = (text: string, names: string[], from = 0) =>
  findMentions(text, from, names).map(({ start, end }) => text.slice(start, end));

it.each([
  ["A heron and HERON, (Heron)-like.", ["Heron"], ["heron", "HERON", "Heron"]],
  ["herons xheron heron_x heron2", ["Heron"], []],
  ["`Heron` [[Heron]] [Heron](x.md) [a](Heron.md) <!-- Heron --> https://x.org/heron ![[Heron]]", ["Heron"], []],
  ["```\nHeron\n```\n\n    Heron\n\nHeron", ["Heron"], ["Heron"]],
  ["[x]: Heron.md\n\n[Heron] unlinked", ["Heron"], ["Heron"]],
  ["C++ (draft) is C++ (draft)!", ["C++ (draft)"], ["C++ (draft)", "C++ (draft)"]],
  ["Der Graureiher, der Reiher", ["Reiher", "Graureiher"], ["Graureiher", "Reiher"]],
  ["ab ab", ["ab"], []],
  ["<!-- a\nHeron\n--> x\nHeron `a\nHeron`", ["Heron"], ["Heron", "Heron"]],
])("finds in %j the names %j", (text, names, expected) => {
  expect(found(text, names)).toEqual(expected);
});

it("knows which mentions are in tables, and ignores what comes before the text", () => {
  expect(findMentions("Heron\n| Heron |\n", 6, ["Heron"])).toEqual([{ start: 8, end: 13, isInTable: true }]);
});
