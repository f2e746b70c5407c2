import { describe, expect, test } from "vitest";
import { repetitionOf, type RepeatingTask } from "./repeated-due.ts";

const DAILY: RepeatingTask = {
  dueDate: "2026-11-26",
  dueTime: null,
  repeat: "FREQ=DAILY",
  repeatFrom: "due",
  repeatTimezone: null,
};

const nextOf = (task: Partial<RepeatingTask>, now = "2026-11-26T12:00:00Z") =>
  repetitionOf({ ...DAILY, ...task }, { now: new Date(now), timeZone: "Europe/Berlin" })?.dueDate ?? null;

describe("a task is due again", () => {
  test("after its date, also if it is done early", () => {
    expect(nextOf({})).toBe("2026-11-27");
    expect(nextOf({ dueDate: "2026-11-30" })).toBe("2026-12-01");
    expect(nextOf({ repeat: null })).toBeNull();
  });

  test("after today if it is done late, or today at its time if that is to come", () => {
    expect(nextOf({ dueDate: "2026-11-20" })).toBe("2026-11-27");
    expect(nextOf({ dueDate: "2026-11-20", dueTime: "18:00" })).toBe("2026-11-26");
    expect(nextOf({ dueDate: "2026-11-20", dueTime: "09:00" })).toBe("2026-11-27");
  });

  test("after it was done, if it counts from there or has no date", () => {
    const completion = { repeat: "FREQ=MONTHLY;INTERVAL=3", repeatFrom: "completion" } as const;
    expect(nextOf({ ...completion, dueDate: "2026-09-01" })).toBe("2027-02-26");
    expect(nextOf({ ...completion, dueDate: "2027-01-01" })).toBe("2027-02-26");
    expect(nextOf({ dueDate: null })).toBe("2026-11-27");
  });

  test("in the time zone of its days", () => {
    const late = "2026-11-26T23:30:00Z";
    expect(nextOf({ dueDate: "2026-11-20" }, late)).toBe("2026-11-28");
    expect(nextOf({ dueDate: "2026-11-20", repeatTimezone: "America/New_York" }, late)).toBe("2026-11-27");
  });

  test("at the same time of day when clocks are set", () => {
    const weekly = { repeat: "FREQ=WEEKLY" };
    // 9:00 in Berlin, which is at +2 until October 25.
    expect(nextOf({ ...weekly, dueDate: "2027-10-25T07:00:30.500Z" })).toBe("2027-11-01T08:00:30.500Z");
    expect(nextOf({ ...weekly, dueDate: "2027-03-26T08:00:00.000Z" })).toBe("2027-04-02T07:00:00.000Z");
    // 2:30 is skipped on March 28, 2027, and occurs twice on October 31.
    expect(nextOf({ dueDate: "2027-03-27T01:30:00.000Z" })).toBe("2027-03-28T01:30:00.000Z");
    expect(nextOf({ dueDate: "2027-10-30T00:30:00.000Z" })).toBe("2027-10-31T00:30:00.000Z");
  });
});
