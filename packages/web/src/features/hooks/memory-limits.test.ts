import { expect, test } from "vitest";
import { parseTokens, toLimits, toTexts } from "./memory-limits.ts";

test.each([
  ["0", 0],
  [" 300 ", 300],
  ["2500", 2500],
  ["2501", undefined],
  ["", undefined],
  ["-1", undefined],
  ["1.5", undefined],
])("%j is %s tokens", (text, tokens) => {
  expect(parseTokens(text)).toBe(tokens);
});

test("limits are the same after editing nothing, and none if one is no number", () => {
  const limits = { sessionStart: 2500, prompt: 300, file: 0 };
  expect(toLimits(toTexts(limits))).toEqual(limits);
  expect(toLimits({ ...toTexts(limits), prompt: "many" })).toBeUndefined();
});
