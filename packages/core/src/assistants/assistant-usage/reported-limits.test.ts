import { describe, expect, test } from "vitest";
import { newestLimits, readLimitReports, toReportedLimit, type LimitReport } from "./reported-limits.ts";

const NOW = new Date("2026-06-10T12:00:00.000Z");
const inSeconds = (time: string) => Date.parse(time) / 1000;

const record = (rate_limits: unknown, timestamp = "2026-06-10T11:00:00.000Z") => ({
  type: "event_msg",
  timestamp,
  payload: { type: "token_count", info: null, rate_limits },
});
const fiveHours = { used_percent: 73.5, window_minutes: 299, resets_at: inSeconds("2026-06-10T13:40:00Z") };
const week = { used_percent: 12, window_minutes: 10_080, resets_at: inSeconds("2026-06-15T08:00:00Z") };

describe("the limits that Codex reports", () => {
  test("are told apart by their length, not by their place", () => {
    const expected = [
      { window: "five-hours", usedPercent: 73.5, resetsAt: "2026-06-10T13:40:00.000Z" },
      { window: "week", usedPercent: 12, resetsAt: "2026-06-15T08:00:00.000Z" },
    ];
    expect(readLimitReports(record({ primary: fiveHours, secondary: week }), NOW)).toMatchObject(expected);
    expect(readLimitReports(record({ limit_id: "codex", primary: week, secondary: null }), NOW)).toMatchObject([
      { window: "week", usedPercent: 12 },
    ]);
  });

  test("may reset after some seconds instead of at a time", () => {
    const limit = { used_percent: 1, window_minutes: 300, resets_in_seconds: 600 };
    expect(readLimitReports(record({ primary: limit }), NOW)).toMatchObject([{ resetsAt: "2026-06-10T11:10:00.000Z" }]);
  });

  test("are not read from what is not understood", () => {
    const { resets_at: _, ...endless } = fiveHours;
    const odd = [
      null,
      {},
      { limit_id: "one-model", primary: fiveHours },
      { primary: endless },
      { primary: { ...fiveHours, used_percent: -1 } },
      { primary: { ...fiveHours, used_percent: "1" } },
      { primary: { ...fiveHours, window_minutes: 60 } },
      { primary: { ...fiveHours, resets_at: 1e300 } },
    ];
    for (const limits of odd) expect(readLimitReports(record(limits), NOW)).toEqual([]);
    expect(readLimitReports(record({ primary: fiveHours }, "yesterday"), NOW)).toEqual([]);
    expect(readLimitReports({ ...record({ primary: fiveHours }), type: "assistant" }, NOW)).toEqual([]);
  });

  test("are not newer than now, so that a clock that is ahead cannot keep one", () => {
    const ahead = record({ primary: fiveHours }, "2026-06-11T00:00:00.000Z");
    expect(readLimitReports(ahead, NOW)).toMatchObject([{ reportedAt: NOW.toISOString() }]);
  });
});

const report = (usedPercent: number, reportedAt: string): LimitReport => ({
  assistant: "codex",
  window: "five-hours",
  usedPercent,
  resetsAt: "2026-06-10T15:00:00.000Z",
  reportedAt: `2026-06-10T${reportedAt}:00.000Z`,
});

test("the newest report of a window wins, in any order", () => {
  const [older, newer] = [report(80, "11:00"), report(5, "11:30")];
  expect(newestLimits([newer, older])).toEqual([newer]);
  expect(newestLimits([older, newer])).toEqual([newer]);
});

describe("the forecast of a reported limit", () => {
  test("continues the pace since the window began", () => {
    expect(toReportedLimit(report(50, "12:00"), NOW)?.fullAt).toBe("2026-06-10T14:00:00.000Z");
  });

  test("has no time if the limit is not reached before it resets, or it is too early", () => {
    expect(toReportedLimit(report(40, "12:00"), NOW)).toMatchObject({ usedPercent: 40, fullAt: null });
    expect(toReportedLimit(report(0, "12:00"), NOW)?.fullAt).toBeNull();
    expect(toReportedLimit(report(9, "10:04"), NOW)?.fullAt).toBeNull();
  });

  test("is the time of the report if the limit is used up", () => {
    expect(toReportedLimit(report(100, "11:00"), NOW)?.fullAt).toBe("2026-06-10T11:00:00.000Z");
  });

  test("does not exist after the window, or without a report", () => {
    expect(toReportedLimit(report(50, "12:00"), new Date("2026-06-10T15:00:00.000Z"))).toBeNull();
    expect(toReportedLimit(undefined, NOW)).toBeNull();
  });
});
