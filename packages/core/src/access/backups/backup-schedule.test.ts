import { expect, test } from "vitest";
import { timesAround, type BackupSchedule } from "./backup-schedule.ts";

function around(schedule: Partial<BackupSchedule>, timeZone: string, now: string): string[] {
  const { last, next } = timesAround(
    { every: "day", dayTime: "03:00", weekday: 1, ...schedule },
    timeZone,
    new Date(now),
  );
  return [last, next].map((time) => time.toISOString());
}

test("a day's backup is made at its time in the zone of the server", () => {
  expect(around({}, "UTC", "2026-11-26T03:00:00Z")).toEqual(["2026-11-26T03:00:00.000Z", "2026-11-27T03:00:00.000Z"]);
  expect(around({}, "America/New_York", "2026-11-26T03:00:00Z")).toEqual([
    "2026-11-25T08:00:00.000Z",
    "2026-11-26T08:00:00.000Z",
  ]);
});

test("a week's backup is made on its day", () => {
  const weekly = { every: "week", weekday: 0 } as const;
  expect(around(weekly, "UTC", "2026-11-26T12:00:00Z")).toEqual([
    "2026-11-22T03:00:00.000Z",
    "2026-11-29T03:00:00.000Z",
  ]);
  // Sunday there, Saturday here.
  expect(around({ ...weekly, dayTime: "01:00" }, "Pacific/Auckland", "2026-11-28T12:30:00Z")).toEqual([
    "2026-11-28T12:00:00.000Z",
    "2026-12-05T12:00:00.000Z",
  ]);
});

test("an hour's backup is made at its minute", () => {
  expect(around({ every: "hour", dayTime: "03:20" }, "UTC", "2026-11-26T12:10:00Z")).toEqual([
    "2026-11-26T11:20:00.000Z",
    "2026-11-26T12:20:00.000Z",
  ]);
});

test("each day has one time, also when clocks change", () => {
  // 02:30 is skipped on 28 March and occurs twice on 31 October.
  const at = { dayTime: "02:30" };
  expect(around(at, "Europe/Berlin", "2027-03-28T12:00:00Z")[0]).toBe("2027-03-28T01:30:00.000Z");
  expect(around(at, "Europe/Berlin", "2027-10-31T12:00:00Z")[0]).toBe("2027-10-31T00:30:00.000Z");
});
