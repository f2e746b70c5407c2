import { expect, test } from "vitest";
import { createCronSchedule } from "./cron-schedule.ts";
import { findMissedTicks, lastLateTick, recentTicks } from "./missed-ticks.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute));
const minutes = (...numbers: number[]) => numbers.map(at);
const taken = (...numbers: number[]) => minutes(...numbers).map((time) => time.toISOString());
const everyMinute = createCronSchedule("* * * * *", "UTC");

test.each([
  ["nothing", minutes(1, 2, 3), taken(1, 2, 3), { lost: [], last: null, coalesced: [] }],
  [
    "what was due while no server was running",
    minutes(1, 2, 3, 4),
    taken(1),
    { lost: [], last: at(4), coalesced: minutes(2, 3) },
  ],
  [
    "what a process lost when it died",
    minutes(1, 2, 3, 4),
    taken(1, 4),
    { lost: minutes(2, 3), last: null, coalesced: [] },
  ],
  ["both", minutes(1, 2, 3, 4, 5), taken(1, 3), { lost: minutes(2), last: at(5), coalesced: minutes(4) }],
  ["all if none was claimed", minutes(1, 2), [], { lost: [], last: at(2), coalesced: minutes(1) }],
  ["nothing if nothing was due", [], taken(1), { lost: [], last: null, coalesced: [] }],
])("finds %s", (_what, due, found, expected) => {
  expect(findMissedTicks(due, found)).toEqual(expected);
});

test("looks back no further than an hour, and not before the schedule was created", () => {
  const now = new Date(at(0).getTime() + 1);
  const longAgo = new Date(Date.UTC(2025, 0, 1));
  expect(recentTicks(everyMinute, longAgo, now)).toHaveLength(60);
  expect(recentTicks(everyMinute, at(-3), now)).toEqual(minutes(-2, -1, 0));
  expect(lastLateTick(everyMinute, longAgo, now)).toEqual(at(-60));
  expect(lastLateTick(everyMinute, at(-30), now)).toBeNull();
});
