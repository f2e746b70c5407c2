import { describe, expect, test } from "vitest";
import { dayNamesPattern, isPlainDay, namesEachDay, readDay, writeDay } from "./day-name.ts";

describe("the name of a day", () => {
  test.each([
    ["YYYY-MM-DD", "2026-03-09"],
    ["YYYY/MM/YYYY-MM-DD", "2026/03/2026-03-09"],
    ["D MMMM YYYY", "9 March 2026"],
    ["ddd D MMM YYYY", "Mon 9 Mar 2026"],
    ["dddd, D.M.YYYY", "Monday, 9.3.2026"],
    ["[Day] YYYYMMDD (x)", "Day 20260309 (x)"],
  ])("in %s is %s, and is read back", (pattern, name) => {
    expect(namesEachDay(pattern)).toBe(true);
    expect(writeDay(pattern, "2026-03-09")).toBe(name);
    expect(readDay(pattern, name)).toBe("2026-03-09");
    expect(new RegExp(dayNamesPattern(pattern)).test(name)).toBe(true);
  });

  test.each(["", "Journal", "YYYY-MM", "MM-DD", "dddd", "YYYYMD", "[YYYY-MM-DD]"])("cannot be %j", (pattern) => {
    expect(namesEachDay(pattern)).toBe(false);
  });

  test("is sought in no more ways than there are places", () => {
    expect(readDay(`YYYY-MM-${"D[]".repeat(30)}`, `2026-01-${"1".repeat(45)}x`)).toBe(null);
  });

  test("is not read from what is no day, or another day of the week", () => {
    expect(readDay("YYYY-MM-DD", "2026-02-30")).toBe(null);
    expect(readDay("YYYY-MM-DD", "2026-02-03 plan")).toBe(null);
    expect(readDay("ddd YYYY-MM-DD", "Tue 2026-03-09")).toBe(null);
    expect(["2026-02-28", "2024-02-29"].every(isPlainDay)).toBe(true);
    expect(["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1"].some(isPlainDay)).toBe(false);
  });
});
