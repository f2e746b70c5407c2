import { expect, test } from "vitest";
import { dayOf } from "../../dates/day.ts";
import { describeRepeat } from "./describe-repeat.ts";

const today = dayOf("2026-11-25");

test.each([
  ["FREQ=DAILY", "every day"],
  ["FREQ=DAILY;INTERVAL=3", "every 3 days"],
  ["FREQ=WEEKLY", "every week"],
  ["FREQ=WEEKLY;BYDAY=MO", "every Monday"],
  ["FREQ=WEEKLY;BYDAY=MO,TH", "every Monday and Thursday"],
  ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"],
  ["FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "every 2 weeks on Friday"],
  ["FREQ=MONTHLY", "every month"],
  ["FREQ=MONTHLY;BYMONTHDAY=1", "every month on the 1st"],
  ["FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1,15,-1", "every 2 months on the 1st, 15th, and last day"],
  ["FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "every month on the 31st or the last day"],
  ["FREQ=MONTHLY;BYDAY=1MO", "every month on the first Monday"],
  ["FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month on the last weekday"],
  ["FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "every month on Friday the 13th"],
  ["FREQ=YEARLY", "every year"],
  ["FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1", "every year on 1 March"],
  ["FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every year on the fourth Thursday in November"],
  ["FREQ=DAILY;COUNT=10", "every day, 10 times"],
  ["FREQ=DAILY;COUNT=1", "every day, this time only"],
  ["FREQ=WEEKLY;BYDAY=MO;UNTIL=20270301", "every Monday, until 1 Mar 2027"],
])("%s is “%s”", (rule, words) => expect(describeRepeat(rule, { today })).toBe(words));

test("says that a rule counts from when the task is done", () => {
  expect(describeRepeat("FREQ=MONTHLY;INTERVAL=3", { today, repeatFrom: "completion" })).toBe(
    "every 3 months after it is done",
  );
});
