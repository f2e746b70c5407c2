import { expect, test } from "vitest";
import { amountText, parseAmount } from "./own-limit-amount.ts";

test.each([
  ["500000", 500_000],
  [" 500 k ", 500_000],
  ["2.5M", 2_500_000],
  ["0.001 m", 1_000],
])("%j is an amount of tokens", (text, value) => {
  expect(parseAmount(text, "tokens")).toEqual({ kind: "amount", value });
});

test("nothing is no limit, and dollars may have cents", () => {
  expect(parseAmount(" ", "usd")).toEqual({ kind: "none" });
  expect(parseAmount("12.34", "usd")).toEqual({ kind: "amount", value: 12.34 });
});

test.each([
  ["many", "tokens", "Write a number"],
  ["-1", "usd", "Write a number"],
  ["1,5", "usd", "Write a number"],
  ["1e5", "tokens", "Write a number"],
  ["0", "usd", "at least 0.01"],
  ["9999 b", "tokens", "at most a trillion"],
  ["1.5", "tokens", "whole"],
] as const)("%j of %s is refused with a reason", (text, unit, problem) => {
  expect(parseAmount(text, unit)).toEqual({ kind: "wrong", problem: expect.stringContaining(problem) });
});

test.each([1, 999, 1_000, 1_234, 500_000, 2_500_000, 1_234_567, 12.34])("%d can be typed as it is shown", (amount) => {
  expect(parseAmount(amountText(amount), "usd")).toEqual({ kind: "amount", value: amount });
});
