import { describe, expect, it } from "vitest";
import { missingIn, planOf, toCron, withKind, type SchedulePlan } from "./schedule-plan.ts";
import { formatRunTime, describeSchedule, formatTimeUntil } from "./describe-schedule.ts";

describe("a plan", () => {
  it.each<[string, SchedulePlan]>([
    ["0 * * * *", { kind: "hourly", minute: 0 }],
    ["5 9 * * *", { kind: "daily", time: "09:05" }],
    ["30 17 * * 1-5", { kind: "weekdays", time: "17:30" }],
    ["0 8 * * 0,3", { kind: "weekly", days: [0, 3], time: "08:00" }],
    ["*/10 * * * *", { kind: "custom", expression: "*/10 * * * *" }],
    ["0 0 9 * * *", { kind: "custom", expression: "0 0 9 * * *" }],
    ["0 9 * * MON", { kind: "custom", expression: "0 9 * * MON" }],
    ["75 9 * * *", { kind: "custom", expression: "75 9 * * *" }],
    ["0 9 1 * *", { kind: "custom", expression: "0 9 1 * *" }],
    ["0 * * * 1", { kind: "custom", expression: "0 * * * 1" }],
  ])("and its expression %s convert to each other", (expression, plan) => {
    expect(planOf(expression)).toEqual(plan);
    expect(toCron(plan)).toBe(expression);
  });

  it("keeps its time when its kind changes", () => {
    const daily: SchedulePlan = { kind: "daily", time: "17:30" };
    expect(withKind(daily, "weekly")).toEqual({ kind: "weekly", days: [1], time: "17:30" });
    expect(withKind(daily, "custom")).toEqual({ kind: "custom", expression: "30 17 * * *" });
    expect(withKind(withKind(daily, "weekly"), "weekdays")).toEqual({ kind: "weekdays", time: "17:30" });
  });

  it("reports what is missing", () => {
    expect(missingIn({ kind: "daily", time: "" })).toContain("time");
    expect(missingIn({ kind: "weekly", days: [], time: "09:00" })).toContain("day");
    expect(missingIn({ kind: "custom", expression: " " })).toContain("expression");
    expect(missingIn({ kind: "hourly", minute: 0 })).toBeNull();
  });
});

describe("in words", () => {
  it.each([
    ["0 * * * *", "Every hour, on the hour"],
    ["15 * * * *", "Every hour, 15 min past"],
    ["0 9 * * *", "Every day at 9:00"],
    ["5 17 * * 1-5", "Every weekday at 17:05"],
    ["0 8 * * 0,1,3", "Every Monday, Wednesday and Sunday at 8:00"],
    ["* * * * *", "Every minute"],
    ["*/15 * * * *", "Every 15 minutes"],
    ["0 9 1 * *", "Every month on day 1 at 9:00"],
    ["0 9 * 1-3 MON#2", "Cron expression 0 9 * 1-3 MON#2"],
  ])("%s is: %s", (expression, words) => {
    expect(describeSchedule(expression)).toBe(words);
  });

  it("formats how soon a run is due", () => {
    const now = new Date("2026-03-01T12:00:00Z");
    const after = (ms: number) => formatTimeUntil(new Date(now.getTime() + ms).toISOString(), now);
    expect([30_000, 5 * 60_000, 3 * 3_600_000, 26 * 3_600_000, 72 * 3_600_000].map(after)).toEqual([
      "in less than a minute",
      "in 5 min",
      "in 3 h",
      "in a day",
      "in 3 days",
    ]);
  });

  it("formats a run's time in its time zone", () => {
    expect(formatRunTime("2026-03-02T08:00:00Z", "Europe/Berlin")).toBe("Mon 2 Mar, 09:00");
  });
});
