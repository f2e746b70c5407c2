import { describe, expect, it } from "vitest";
import { sayCost, sayCountOf, sayDuration, sayMoney, sayPercent, sayTokens } from "./number-wording.ts";

describe("sayDuration", () => {
  it.each([
    [0, "0 ms"],
    [0.42, "0.4 ms"],
    [12.3, "12 ms"],
    [999, "999 ms"],
    [1500, "1.5 s"],
    [59_980, "1 min"],
    [125_000, "2 min 5 s"],
    [7_200_000, "2 h"],
    [12_000_000, "3 h 20 min"],
  ])("says %d ms as %s", (ms, words) => {
    expect(sayDuration(ms)).toBe(words);
  });
});

describe("sayTokens", () => {
  it.each([
    [999, "999"],
    [12_345, "12.3 k"],
    [999_960, "1 M"],
    [4_100_000, "4.1 M"],
  ])("says %d as %s", (count, words) => {
    expect(sayTokens(count)).toBe(words);
  });
});

describe("sayMoney", () => {
  it.each([
    [0, "$0.00"],
    [1.2, "$1.20"],
    [0.0031, "$0.0031"],
    [0.00004, "<$0.0001"],
    [1234.5, "$1,234.50"],
  ])("says %d as %s", (usd, words) => {
    expect(sayMoney(usd)).toBe(words);
  });
});

it("says an unknown cost as unknown, and what is known of it", () => {
  expect([sayCost(0.5, true), sayCost(0, false), sayCost(0.5, false)]).toEqual(["$0.50", "unknown", "at least $0.50"]);
});

it("says a share with as many digits as it needs", () => {
  expect([0, 0.25, 12.5, 33.333].map(sayPercent)).toEqual(["0 %", "0.25 %", "12.5 %", "33.3 %"]);
});

it("says one and many", () => {
  expect([sayCountOf(1, "event"), sayCountOf(1204, "event"), sayCountOf(2, "memory", "memories")]).toEqual([
    "1 event",
    "1,204 events",
    "2 memories",
  ]);
});
