import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDueDate } from "./due-date.ts";

describe("parseDueDate", () => {
  test.each([
    ["2026-01-31", "2026-01-31"],
    ["2028-02-29", "2028-02-29"],
    ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T10:00Z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T23:30:00.5-02:00", "2026-02-01T01:30:00.500Z"],
  ])("reads %s as %s", (text, expected) => {
    expect(parseDueDate(text)).toBe(expected);
  });

  test.each([
    "",
    "2026",
    "2026-13-01",
    "2026-02-29",
    "2026-1-1",
    "31.1.2026",
    "2026-01-31T25:00:00Z",
    "2026-01-31T10:00:00",
    "2026-01-31 10:00Z",
    "2026-02-30T10:00:00Z",
  ])("rejects %j", (text) => {
    expect(parseDueDate(text)).toBeNull();
  });

  test("does not change its own results", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("1970-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => {
          const iso = date.toISOString();
          expect(parseDueDate(iso)).toBe(iso);
          expect(parseDueDate(iso.slice(0, 10))).toBe(iso.slice(0, 10));
        },
      ),
    );
  });
});
