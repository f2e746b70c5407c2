import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText, toSearchPattern, toSearchText } from "./fold-text.ts";

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

  test("is stable: folding twice changes nothing more", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });
});

test("a search text finds what is in a field and nothing across two", () => {
  const stored = toSearchText("abc", null, "def");
  expect(stored).toContain("abc");
  expect(stored).not.toContain("abcdef");
});

test("wildcards of LIKE are ordinary characters in a pattern", () => {
  expect(toSearchPattern("50%_\\")).toBe("%50\\%\\_\\\\%");
});
