import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCronSchedule, explainInvalidCron, latestTimeBetween, latestTimes, nextTimes } from "./cron-schedule.ts";

const times = (expression: string, timeZone: string, after: string, count: number) =>
  nextTimes(createCronSchedule(expression, timeZone), new Date(after), count).map((time) =>
    time.toISOString().replace(":00.000Z", "Z"),
  );

describe("a valid expression", () => {
  test.each([
    "* * * * *",
    "*/5 * * * *",
    "0 9 * * MON-FRI",
    "30 2 1,15 jan-mar ?",
    "0 0 * * 7",
    "0 0 29 2 *",
    "0 0 L * *",
    "0 9 * * 1#2",
    "*/10 * * * * *",
    "  0  9 * * *  ",
  ])("%j is accepted", (expression) => {
    expect(explainInvalidCron(expression)).toBeNull();
  });

  test.each([
    "",
    " ",
    "* * * *",
    "* * * * * * *",
    "@daily",
    "@every 5m",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * 32 * *",
    "* * * 13 *",
    "* * * * 8",
    "*/0 * * * *",
    "5-1 * * * *",
    "-5 * * * *",
    "1.5 * * * *",
    "a b c d e",
    "H * * * *",
    "0 0 15W * *",
    "0 0 30 2 *",
    "0 0 31 4,6,9,11 *",
    "* * * * MONDAY",
    "0 9 * * 1; DROP TABLE agents",
    `${"1,".repeat(200)}1 * * * *`,
  ])("%j is rejected with a reason", (expression) => {
    expect(explainInvalidCron(expression)).toMatch(/^expected /);
  });

  test("arbitrary text is rejected or yields times, and never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789*/,- LJAN#?".split("")) }), (text) => {
        if (explainInvalidCron(text) !== null) return;
        const after = new Date("2026-05-05T05:05:05Z");
        expect(createCronSchedule(text, "UTC").next(after).getTime()).toBeGreaterThan(after.getTime());
      }),
    );
  });
});

/** When clocks are set forward, a time in the gap is due once, when the gap ends. */
describe.each([
  ["America/New_York", "30 2 * * *", "2026-03-07T12:00Z", ["2026-03-08T07:00Z", "2026-03-09T06:30Z"]],
  ["Europe/Berlin", "30 2 * * *", "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:30Z"]],
  ["Europe/London", "15 1 * * *", "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:15Z"]],
  ["Australia/Sydney", "59 2 * * *", "2026-10-03T00:00Z", ["2026-10-03T16:00Z", "2026-10-04T15:59Z"]],
  ["Australia/Lord_Howe", "15 2 * * *", "2026-10-03T00:00Z", ["2026-10-03T15:30Z", "2026-10-04T15:15Z"]],
  ["America/Santiago", "0 0 * * *", "2026-09-05T12:00Z", ["2026-09-06T04:00Z", "2026-09-07T03:00Z"]],
])("in %s, %s in the gap", (timeZone, expression, after, expected) => {
  test("is due once, when the gap ends", () => {
    expect(times(expression, timeZone, after, 2)).toEqual(expected);
  });
});

/** When clocks are set back, a time that they show twice is due only the first time. */
describe.each([
  ["America/New_York", "30 1 * * *", "2026-10-31T12:00Z", ["2026-11-01T05:30Z", "2026-11-02T06:30Z"]],
  ["Europe/Berlin", "30 2 * * *", "2026-10-24T12:00Z", ["2026-10-25T00:30Z", "2026-10-26T01:30Z"]],
  ["Europe/London", "0 1 * * *", "2026-10-24T12:00Z", ["2026-10-25T00:00Z", "2026-10-26T01:00Z"]],
  ["Australia/Sydney", "30 2 * * *", "2026-04-04T00:00Z", ["2026-04-04T15:30Z", "2026-04-05T16:30Z"]],
  ["Australia/Lord_Howe", "45 1 * * *", "2026-04-04T00:00Z", ["2026-04-04T14:45Z", "2026-04-05T15:15Z"]],
  ["America/Santiago", "30 23 * * *", "2026-04-04T00:00Z", ["2026-04-04T02:30Z", "2026-04-05T02:30Z"]],
])("in %s, %s in the repeated hour", (timeZone, expression, after, expected) => {
  test("is due once, the first time", () => {
    expect(times(expression, timeZone, after, 2)).toEqual(expected);
  });
});

test("a repeated time is not due the second time, even when asked after the clocks have been set back", () => {
  expect(times("30 1 * * *", "America/New_York", "2026-11-01T06:10Z", 1)).toEqual(["2026-11-02T06:30Z"]);
  expect(times("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10Z", 1)).toEqual(["2026-10-26T01:30Z"]);
});

describe("a schedule for every hour", () => {
  test("continues through the repeated hour", () => {
    expect(times("*/30 * * * *", "America/New_York", "2026-11-01T05:00Z", 5)).toEqual([
      "2026-11-01T05:30Z",
      "2026-11-01T06:00Z",
      "2026-11-01T06:30Z",
      "2026-11-01T07:00Z",
      "2026-11-01T07:30Z",
    ]);
  });

  test("continues through a repeated half hour", () => {
    expect(times("*/15 * * * *", "Australia/Lord_Howe", "2026-04-04T14:40Z", 4)).toEqual([
      "2026-04-04T14:45Z",
      "2026-04-04T15:00Z",
      "2026-04-04T15:15Z",
      "2026-04-04T15:30Z",
    ]);
  });

  test("has no tick in the gap except the one when it ends", () => {
    expect(times("*/20 * * * *", "Europe/Berlin", "2026-03-29T00:35Z", 3)).toEqual([
      "2026-03-29T00:40Z",
      "2026-03-29T01:00Z",
      "2026-03-29T01:20Z",
    ]);
    expect(times("15 * * * *", "Australia/Lord_Howe", "2026-10-03T14:00Z", 3)).toEqual([
      "2026-10-03T14:45Z",
      "2026-10-03T15:30Z",
      "2026-10-03T16:15Z",
    ]);
  });
});

const zone = fc.constantFrom(
  "UTC",
  "America/New_York",
  "Europe/Berlin",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "America/Santiago",
);
const instant = fc.date({ min: new Date("2025-01-01"), max: new Date("2027-12-31"), noInvalidDate: true });
const expression = fc.constantFrom(
  "* * * * *",
  "*/7 * * * *",
  "30 2 * * *",
  "0 */6 * * *",
  "15 1,2,3 * * 0",
  "5 0 1 * *",
);

test("times only ever move forward, whatever the clocks do", () => {
  fc.assert(
    fc.property(zone, expression, instant, (timeZone, text, after) => {
      const found = [after, ...nextTimes(createCronSchedule(text, timeZone), after, 5)].map((time) => time.getTime());
      expect(found).toEqual(found.toSorted((a, b) => a - b));
      expect(new Set(found).size).toBe(found.length);
    }),
  );
});

test("the next time does not depend on the starting point, as long as no time lies in between", () => {
  fc.assert(
    fc.property(
      zone,
      expression,
      instant,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (timeZone, text, after, share) => {
        const schedule = createCronSchedule(text, timeZone);
        const next = schedule.next(after).getTime();
        const between = new Date(after.getTime() + Math.floor((next - 1 - after.getTime()) * share));
        expect(schedule.next(between).getTime()).toBe(next);
      },
    ),
  );
});

test("the latest times of a window are the last of its times", () => {
  fc.assert(
    fc.property(
      zone,
      expression,
      instant,
      fc.integer({ min: 0, max: 3 * 3_600_000 }),
      fc.integer({ min: 1, max: 20 }),
      (timeZone, text, after, spanMs, max) => {
        const schedule = createCronSchedule(text, timeZone);
        const until = new Date(after.getTime() + spanMs);
        const all: Date[] = [];
        for (let time = schedule.next(after); time <= until; time = schedule.next(time)) all.push(time);
        expect(latestTimes(schedule, after, until, max)).toEqual(all.slice(-max));
      },
    ),
  );
});

test("the latest time of a window is the last of its times", () => {
  fc.assert(
    fc.property(
      zone,
      expression,
      instant,
      fc.integer({ min: 1, max: 3 * 3_600_000 }),
      (timeZone, text, after, spanMs) => {
        const schedule = createCronSchedule(text, timeZone);
        const until = new Date(after.getTime() + spanMs);
        let expected: Date | null = null;
        for (let time = schedule.next(after); time <= until; time = schedule.next(time)) expected = time;
        expect(latestTimeBetween(schedule, after, until)).toEqual(expected);
      },
    ),
  );
});
