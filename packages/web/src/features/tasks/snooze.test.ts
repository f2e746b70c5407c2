import { describe, expect, test } from "vitest";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { isBack, snoozeChoices } from "./snooze-times.ts";
import { isSnoozed } from "./snooze.ts";

const now = Date.parse("2026-11-25T10:00:00Z");

describe("a task with the end of a snooze", () => {
  const until = (iso: string, part = {}) => sampleTask({ snoozedUntil: iso, ...part });
  test("is snoozed until then, unless it is done", () => {
    expect(isSnoozed(until("2026-11-25T10:00:01Z"), now)).toBe(true);
    expect(isSnoozed(until("2026-11-25T10:00:00Z"), now)).toBe(false);
    expect(isSnoozed(until("2026-11-26T10:00:00Z", { status: "done" }), now)).toBe(false);
    expect(isSnoozed(sampleTask(), now)).toBe(false);
  });
  test("is marked as back for a day", () => {
    expect(isBack(until("2026-11-25T10:00:00Z"), now)).toBe(true);
    expect(isBack(until("2026-11-24T10:00:00Z"), now)).toBe(false);
    expect(isBack(until("2026-11-26T10:00:00Z"), now)).toBe(false);
  });
});

test("what can be chosen is in the future and in order", () => {
  const labelsAt = (local: string) => snoozeChoices(new Date(local), 1).map(({ label }) => label);
  expect(labelsAt("2026-11-25T10:20:00")).toEqual([
    "Later today",
    "This evening",
    "Tomorrow",
    "This weekend",
    "Next week",
  ]);
  expect(labelsAt("2026-11-25T20:00:00")).toEqual(["Tomorrow", "This weekend", "Next week"]);
  // A Friday and a Saturday.
  expect(labelsAt("2026-11-27T20:00:00")).toEqual(["Tomorrow", "Next week"]);
  expect(labelsAt("2026-11-28T20:00:00")).toEqual(["Tomorrow", "Next week"]);
  for (const hour of ["00:00", "09:00", "16:30", "23:59"]) {
    const at = new Date(`2026-11-25T${hour}:00`);
    const times = snoozeChoices(at, 1).map(({ until }) => until.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.every((time) => time > at.getTime())).toBe(true);
  }
});
