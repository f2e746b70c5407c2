import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatDay, formatDueDate, formatFullDueDate, formatTimeAgo } from "./date-format.ts";
import { dayOf, todayOf, toPlainDate } from "./day.ts";

const today = dayOf("2026-11-20");

describe("formatDay", () => {
  it.each([
    ["2026-11-20", "Today"],
    ["2026-11-21", "Tomorrow"],
    ["2026-11-19", "Yesterday"],
    ["2026-11-22", "Sun"],
    ["2026-11-26", "Thu"],
    ["2026-11-27", "27 Nov"],
    ["2026-11-18", "18 Nov"],
    ["2026-12-12", "12 Dec"],
    ["2027-01-02", "2 Jan 2027"],
    ["2025-12-31", "31 Dec 2025"],
  ])("formats %s as %s on Friday, 20 November 2026", (date, words) => {
    expect(formatDay(dayOf(date), today)).toBe(words);
  });
});

describe.each(["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", "America/New_York"])("in %s", (timeZone) => {
  const before = process.env["TZ"];
  beforeAll(() => {
    process.env["TZ"] = timeZone;
  });
  afterAll(() => {
    process.env["TZ"] = before;
  });

  it("never shifts a plain date", () => {
    expect(toPlainDate(dayOf("2026-03-29"))).toBe("2026-03-29");
    expect(formatFullDueDate("2026-12-11")).toBe("Friday, 11 December 2026");
    expect(formatDueDate("2026-12-12", today)).toBe("12 Dec");
  });

  it("takes today from the local clock", () => {
    expect(toPlainDate(todayOf(new Date(2026, 10, 20, 0, 0, 1)))).toBe("2026-11-20");
    expect(toPlainDate(todayOf(new Date(2026, 10, 20, 23, 59, 59)))).toBe("2026-11-20");
  });

  it("shows the time of a plain date as it is", () => {
    expect(formatDueDate("2026-12-12", today, "09:05")).toBe("12 Dec 9:05");
    expect(formatFullDueDate("2026-12-11", "00:30")).toBe("Friday, 11 December 2026, 0:30");
  });

  it("formats an instant in the user's time zone", () => {
    const instant = new Date(2026, 10, 24, 9, 0);
    expect(formatDueDate(instant.toISOString(), today)).toBe("Tue 9:00");
  });
});

describe("formatTimeAgo", () => {
  const now = new Date(2026, 10, 20, 15, 0, 0);
  it.each([
    [new Date(2026, 10, 20, 14, 59, 40), "just now"],
    [new Date(2026, 10, 20, 15, 0, 30), "just now"],
    [new Date(2026, 10, 20, 14, 55), "5 min ago"],
    [new Date(2026, 10, 20, 12, 0), "3 h ago"],
    [new Date(2026, 10, 19, 23, 0), "Yesterday"],
    [new Date(2026, 9, 2, 8, 0), "2 Oct"],
  ])("formats %s as %s", (instant, words) => {
    expect(formatTimeAgo(instant.toISOString(), now)).toBe(words);
  });
});
