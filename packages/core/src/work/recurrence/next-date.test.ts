import { describe, expect, test } from "vitest";
import { firstDate, nextDate } from "./next-date.ts";
import { formatRepeatRule, parseRepeatRule, RepeatRuleError } from "./repeat-rule.ts";

/** The dates that follow one after the other, each from the one before, as tasks do. */
function chain(text: string, from: string, length = 5): string[] {
  const dates: string[] = [];
  let rule = parseRepeatRule(text);
  let date = from;
  while (dates.length < length) {
    const next = nextDate(rule, { from: date, after: date });
    if (next === null) break;
    ({ date, rule } = next);
    dates.push(date);
  }
  return dates;
}

describe("the dates of a rule", () => {
  test.each([
    ["FREQ=DAILY", "2026-02-27", ["2026-02-28", "2026-03-01"]],
    ["FREQ=DAILY;INTERVAL=10", "2026-02-27", ["2026-03-09", "2026-03-19"]],
    ["FREQ=WEEKLY", "2026-11-26", ["2026-12-03", "2026-12-10"]],
    ["FREQ=WEEKLY;BYDAY=MO,TH", "2026-11-26", ["2026-11-30", "2026-12-03"]],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH", "2026-11-26", ["2026-12-07", "2026-12-10", "2026-12-21"]],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU", "2026-11-22", ["2026-11-23", "2026-12-06", "2026-12-07"]],
    ["FREQ=MONTHLY", "2026-01-15", ["2026-02-15", "2026-03-15"]],
    ["FREQ=MONTHLY;INTERVAL=6", "2026-08-31", ["2027-02-28", "2027-08-31"]],
    ["FREQ=MONTHLY;BYDAY=-1FR", "2026-01-30", ["2026-02-27", "2026-03-27"]],
    ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-01-30", ["2026-02-27", "2026-03-31"]],
    ["FREQ=MONTHLY;BYMONTHDAY=31", "2026-01-31", ["2026-03-31", "2026-05-31"]],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31", ["2026-02-28", "2026-03-31"]],
    ["FREQ=YEARLY", "2026-03-31", ["2027-03-31", "2028-03-31"]],
    ["FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "2026-11-26", ["2027-11-25", "2028-11-23"]],
  ])("%s from %s", (rule, from, dates) => expect(chain(rule, from, dates.length)).toEqual(dates));

  test("keep the day of the month that they began with, through shorter months", () => {
    expect(chain("FREQ=MONTHLY", "2026-01-31")).toEqual([
      "2026-02-28",
      "2026-03-31",
      "2026-04-30",
      "2026-05-31",
      "2026-06-30",
    ]);
    expect(chain("FREQ=YEARLY", "2028-02-29")).toEqual([
      "2029-02-28",
      "2030-02-28",
      "2031-02-28",
      "2032-02-29",
      "2033-02-28",
    ]);
  });

  test("skip what has been missed, in step with the rule", () => {
    const next = (text: string) =>
      nextDate(parseRepeatRule(text), { from: "2019-01-01", after: "2026-11-26" })?.date ?? null;
    expect(next("FREQ=DAILY;INTERVAL=3")).toBe("2026-11-29");
    expect(next("FREQ=WEEKLY;INTERVAL=2")).toBe("2026-12-08");
    expect(next("FREQ=MONTHLY;INTERVAL=5")).toBe("2026-12-01");
    expect(next("FREQ=YEARLY;INTERVAL=4")).toBe("2027-01-01");
  });

  test("end", () => {
    expect(chain("FREQ=DAILY;COUNT=3", "2026-11-26")).toEqual(["2026-11-27", "2026-11-28"]);
    expect(chain("FREQ=DAILY;COUNT=1", "2026-11-26")).toEqual([]);
    expect(chain("FREQ=WEEKLY;UNTIL=20261210", "2026-11-26")).toEqual(["2026-12-03", "2026-12-10"]);
    expect(chain("FREQ=DAILY", "9999-12-30")).toEqual([]);
    const missed = nextDate(parseRepeatRule("FREQ=DAILY;COUNT=10"), { from: "2026-11-20", after: "2026-11-26" });
    expect(missed && [missed.date, formatRepeatRule(missed.rule)]).toEqual(["2026-11-27", "FREQ=DAILY;COUNT=3"]);
  });

  test("begin on the first day that is one", () => {
    const first = (text: string) => firstDate(parseRepeatRule(text), "2026-11-26");
    expect(first("FREQ=MONTHLY")).toBe("2026-11-26");
    expect(first("FREQ=WEEKLY;BYDAY=TH")).toBe("2026-11-26");
    expect(first("FREQ=WEEKLY;BYDAY=MO")).toBe("2026-11-30");
    expect(first("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO")).toBe("2026-12-07");
    expect(first("FREQ=MONTHLY;BYMONTHDAY=1")).toBe("2026-12-01");
    expect(first("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30")).toBeNull();
    expect(first("FREQ=WEEKLY;BYDAY=MO;UNTIL=20261127")).toBeNull();
  });

  test("are found without freezing the process", () => {
    const started = performance.now();
    for (const text of [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=YEARLY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=29",
      "FREQ=DAILY;INTERVAL=7;BYMONTH=2;BYMONTHDAY=30",
      "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=365",
      "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3",
      "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=31;COUNT=365",
      "FREQ=DAILY;COUNT=365",
    ]) {
      nextDate(parseRepeatRule(text), { from: "2026-01-31", after: "2036-01-31" });
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("a rule", () => {
  test.each([
    ["rrule:freq=weekly;byday=mo;interval=2", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"],
    ["FREQ=MONTHLY;BYDAY=+1MO,-1FR;", "FREQ=MONTHLY;BYDAY=1MO,-1FR"],
    ["FREQ=DAILY;INTERVAL=1;WKST=MO;UNTIL=20261231T225959Z", "FREQ=DAILY;UNTIL=20261231"],
    ["FREQ=YEARLY;BYMONTH=1,6;BYMONTHDAY=1;COUNT=4", "FREQ=YEARLY;BYMONTH=1,6;BYMONTHDAY=1;COUNT=4"],
  ])("%s is stored as %s", (text, stored) => expect(formatRepeatRule(parseRepeatRule(text))).toBe(stored));

  test.each([
    ["", "expected an iCalendar rule, such as FREQ=WEEKLY;INTERVAL=2"],
    ["every week", "expected an iCalendar rule, such as FREQ=WEEKLY;INTERVAL=2"],
    ["INTERVAL=2", "expected FREQ with DAILY, WEEKLY, MONTHLY, YEARLY"],
    ["FREQ=HOURLY", "FREQ=HOURLY is not possible"],
    ["FREQ=DAILY;FREQ=DAILY", "expected FREQ once"],
    ["FREQ=DAILY;INTERVAL=0", "INTERVAL=0 is not possible"],
    [
      "FREQ=DAILY;BYHOUR=9",
      "expected only FREQ, INTERVAL, BYDAY, BYMONTHDAY, BYMONTH, BYSETPOS, WKST, COUNT and UNTIL, not BYHOUR",
    ],
    ["FREQ=DAILY;COUNT=3;UNTIL=20261231", "expected COUNT or UNTIL, not both"],
    ["FREQ=DAILY;UNTIL=20260230", "UNTIL=20260230 is not possible"],
    ["FREQ=WEEKLY;BYDAY=1MO", "BYDAY with a number needs FREQ=MONTHLY or FREQ=YEARLY"],
    ["FREQ=WEEKLY;BYDAY=XX", "BYDAY=XX is not possible"],
    ["FREQ=MONTHLY;BYDAY=6MO", "BYDAY names a week that no month has"],
    ["FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY=0 is not possible"],
    ["FREQ=MONTHLY;BYSETPOS=1", "BYSETPOS needs BYDAY or BYMONTHDAY"],
    [`FREQ=DAILY;BYDAY=${"MO,".repeat(100)}`, "must be at most 300 characters"],
  ])("%j is refused: %s", (text, message) => {
    expect(() => parseRepeatRule(text)).toThrow(new RepeatRuleError(message));
  });
});
