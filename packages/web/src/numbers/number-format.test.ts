import { describe, expect, it } from "vitest";
import { formatCost, pluralize, formatDuration, formatMoney, formatPercent, formatTokens } from "./number-format.ts";

describe("formatDuration", () => {
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
  ])("formats %d ms as %s", (ms, words) => {
    expect(formatDuration(ms)).toBe(words);
  });
});

describe("formatTokens", () => {
  it.each([
    [999, "999"],
    [12_345, "12.3 k"],
    [999_960, "1 M"],
    [4_100_000, "4.1 M"],
  ])("formats %d as %s", (count, words) => {
    expect(formatTokens(count)).toBe(words);
  });
});

describe("formatMoney", () => {
  it.each([
    [0, "$0.00"],
    [1.2, "$1.20"],
    [0.0031, "$0.0031"],
    [0.00004, "<$0.0001"],
    [1234.5, "$1,234.50"],
  ])("formats %d as %s", (usd, words) => {
    expect(formatMoney(usd)).toBe(words);
  });
});

it("marks unknown and partly known costs", () => {
  expect([formatCost(0.5, true), formatCost(0, false), formatCost(0.5, false)]).toEqual([
    "$0.50",
    "unknown",
    "at least $0.50",
  ]);
});

it("formats a percentage with as many digits as it needs", () => {
  expect([0, 0.25, 12.5, 33.333].map(formatPercent)).toEqual(["0 %", "0.25 %", "12.5 %", "33.3 %"]);
});

it("formats singular and plural", () => {
  expect([pluralize(1, "event"), pluralize(1204, "event"), pluralize(2, "memory", "memories")]).toEqual([
    "1 event",
    "1,204 events",
    "2 memories",
  ]);
});
