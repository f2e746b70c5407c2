import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldLongText, foldText, toSearchPattern, toSearchText } from "./fold-text.ts";

describe("foldText", () => {
  test.each([
    ["HELLO", "hello"],
    ["Straße", "STRASSE"],
    ["Straße", "STRAẞE"],
    ["ΣΊΣΥΦΟΣ", "σίσυφος"],
    ["ПРИВЕТ", "привет"],
    ["Ünïcödé", "U\u0308nïcödé"],
    ["DŽ", "dž"],
  ])("makes %s and %s equal", (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  test("is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });
});

test.each([
  ["words", "Straße ΟΔΥΣΣΕΥΣ U\u0308nï "],
  ["decomposed letters without a space", "\u1112\u1161\u11abA\u0308\u0301"],
  ["one word", "Σ"],
  ["characters of four bytes", "😀𐐀"],
])("a long text of %s is folded like a short one", async (_name, unit) => {
  const text = unit.repeat(400_000 / unit.length);
  expect((await foldLongText(text)) === foldText(text)).toBe(true);
});

test("a search text matches within a field but not across two", () => {
  const stored = toSearchText("abc", null, "def");
  expect(stored).toContain("abc");
  expect(stored).not.toContain("abcdef");
});

test("escapes the wildcards of LIKE", () => {
  expect(toSearchPattern("50%_\\")).toBe("%50\\%\\_\\\\%");
});
