import { describe, expect, it } from "vitest";
import { addMonths, dayOf, nextWeek, toPlainDate, weekdayOf, weeksOfMonth } from "./day.ts";

describe("weeksOfMonth", () => {
  it("returns whole weeks starting on Monday, with every day of the month once", () => {
    for (let month = 0; month < 48; month++) {
      const first = addMonths(dayOf("2026-01-01"), month);
      const days = weeksOfMonth(first, 1).flat();
      expect(days.length % 7).toBe(0);
      expect(weekdayOf(days[0] ?? 0)).toBe(0);
      const inMonth = days.map(toPlainDate).filter((date) => date.slice(0, 7) === toPlainDate(first).slice(0, 7));
      expect(new Set(inMonth).size).toBe(inMonth.length);
      expect(inMonth.length).toBe(addMonths(first, 1) - first);
    }
  });
});

describe("addMonths", () => {
  it.each([
    ["2026-01-31", 1, "2026-02-28"],
    ["2028-01-31", 1, "2028-02-29"],
    ["2026-03-31", -1, "2026-02-28"],
    ["2026-11-15", 2, "2027-01-15"],
  ])("moves %s by %i to %s", (date, months, expected) => {
    expect(toPlainDate(addMonths(dayOf(date), months))).toBe(expected);
  });
});

describe("nextWeek", () => {
  it.each([
    ["2026-11-23", 1, "2026-11-30"],
    ["2026-11-22", 1, "2026-11-23"],
    ["2026-11-23", 0, "2026-11-29"],
    ["2026-11-22", 0, "2026-11-29"],
    ["2026-11-21", 6, "2026-11-28"],
  ])("after %s, with weeks that begin on day %i, begins on %s", (today, firstWeekday, expected) => {
    expect(toPlainDate(nextWeek(dayOf(today), firstWeekday))).toBe(expected);
  });
});
