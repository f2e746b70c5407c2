import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { wallClockIn } from "../../platform/time-zone.ts";
import { readDueText, readTask } from "./capture-text.ts";
import type { CaptureContext } from "./captured-task.ts";

const projects = [{ id: "g", name: "Garden" }];
/** Wednesday, 25 November 2026, 10:00 in Berlin. */
const NOW = Date.UTC(2026, 10, 25, 9);

function contextAt(nowMs: number, part: Partial<CaptureContext> = {}): CaptureContext {
  const wallClock = (minutes: number) => wallClockIn("Europe/Berlin", new Date(nowMs + minutes * 60_000));
  return { wallClock, language: "en-US", projects, ...part };
}

const read = (text: string, part: Partial<CaptureContext> = {}) => readTask(text, contextAt(NOW, part));

describe("a refused part", () => {
  test("stays in the title", () => {
    const text = "Call tomorrow 9am #health !high @Garden";
    const { parts } = read(text);
    expect(parts.map((part) => part.text)).toEqual(["tomorrow 9am", "#health", "!high", "@Garden"]);
    for (const part of parts) {
      const task = read(text, { refused: [part.text] });
      expect(task.title).toBe(`Call ${part.text}`);
      expect(task.parts).toEqual(parts.filter((other) => other !== part));
    }
  });

  test("stays refused while the writer goes on", () => {
    expect(read("Call tomorrow 9am about it", { refused: ["tomorrow"] }).title).toBe("Call tomorrow 9am about it");
    expect(read("Call today", { refused: ["tomorrow"] })).toMatchObject({ title: "Call", dueDate: "2026-11-25" });
  });

  test("may stand in two places", () => {
    const text = "Tomorrow call Sam at 9am";
    const [part] = read(text).parts;
    expect(part).toMatchObject({ text: "Tomorrow … at 9am", value: "2026-11-26 09:00" });
    expect(read(text, { refused: [part?.text ?? ""] }).title).toBe(text);
  });
});

test("a field that is excepted is not read", () => {
  const text = "Call tomorrow #health !high @Garden";
  const except = new Set(["due", "tags", "priority", "project"] as const);
  expect(read(text, { except })).toEqual({ title: text, tags: [], parts: [] });
});

test("a name that is no project is reported, and stays in the title", () => {
  const task = read("Order soil @Balcony");
  expect(task.title).toBe("Order soil @Balcony");
  expect(task.parts).toEqual([{ field: "unknown-project", text: "@Balcony", value: "Balcony" }]);
});

test("hours from now are counted across a change of the clock", () => {
  const night = Date.UTC(2027, 2, 28, 0, 30);
  expect(readTask("Call in 2 hours", contextAt(night))).toMatchObject({ dueDate: "2027-03-28", dueTime: "04:30" });
  expect(readTask("Call in 1 day", contextAt(night))).toMatchObject({ dueDate: "2027-03-29" });
});

test.each([
  ["2028-01-31", "Call in a month", "2028-02-29"],
  ["2026-12-31", "Call tomorrow", "2027-01-01"],
  ["2026-12-31", "Call by end of month", "2026-12-31"],
  ["2026-11-26", "Call before the end of the month", "2026-11-30"],
  ["2026-11-26", "Anruf vor Monatsende", "2026-11-30"],
  ["2026-11-26", "Call before December 1", "2026-11-30"],
  ["2026-11-26", "Call in a fortnight", "2026-12-10"],
  ["2026-11-26", "Call two fortnights from today", "2026-12-24"],
  ["2027-02-01", "Party on Feb 29", "2028-02-29"],
  ["2026-11-28", "Clean this weekend", undefined],
  ["2026-11-28", "Clean garage this weekend", "2026-11-28"],
  ["2026-11-29", "Clean garage this weekend", "2026-11-29"],
  ["2026-11-29", "Send report on Monday", "2026-11-30"],
  ["2026-11-29", "Send report next Monday", "2026-11-30"],
])("on %s “%s” is due on %s", (date, text, dueDate) => {
  const task = readTask(text, { wallClock: () => ({ date, time: "10:00" }), language: "en", projects });
  expect(task.dueDate).toBe(dueDate);
});

test.each([
  // A Wednesday, and a Sunday, with which a week begins.
  ["2026-11-25", 0, "next week", "2026-11-29"],
  ["2026-11-25", 0, "next sunday", "2026-11-29"],
  ["2026-11-25", 0, "next friday", "2026-12-04"],
  ["2026-11-25", 0, "friday next week", "2026-12-04"],
  ["2026-11-29", 0, "next week", "2026-12-06"],
  ["2026-11-29", 0, "nächsten Montag", "2026-12-07"],
  ["2026-11-29", 1, "nächsten Montag", "2026-11-30"],
  ["2026-11-25", 6, "nächste Woche", "2026-11-28"],
  ["2026-11-25", undefined, "next week", "2026-11-30"],
])("on %s, with weeks that begin on day %j, “%s” is %s", (date, firstWeekday, text, dueDate) => {
  const context = { wallClock: () => ({ date, time: "10:00" }), language: "en", projects };
  const read = readDueText(text, { ...context, ...(firstWeekday !== undefined && { firstWeekday }) });
  expect(read).toEqual({ dueDate });
});

test.each([
  ["Call Sam wed 2pm", "2026-11-25"],
  ["Call Sam wed 9am", "2026-12-02"],
  ["Call Sam wed 10am", "2026-12-02"],
  ["Call Sam on Wednesday", "2026-12-02"],
  ["Sam anrufen Mittwochabend", "2026-11-25"],
  ["Call Sam next Wednesday 2pm", "2026-12-02"],
  ["Call Sam Wednesday next week 2pm", "2026-12-02"],
  ["Call Sam Wed Dec 2 2pm", "2026-12-02"],
])("at 10:00 on a Wednesday “%s” is due on %s", (text, dueDate) => {
  expect(read(text).dueDate).toBe(dueDate);
});

describe("a due date alone", () => {
  test.each([
    ["tomorrow", { dueDate: "2026-11-26" }],
    ["next friday 5pm", { dueDate: "2026-12-04", dueTime: "17:00" }],
    ["in 2 weeks", { dueDate: "2026-12-09" }],
    ["morgen um 9 Uhr", { dueDate: "2026-11-26", dueTime: "09:00" }],
    ["fr", null],
    ["Fr", { dueDate: "2026-11-27" }],
    ["sun", { dueDate: "2026-11-29" }],
    ["5pm", { dueDate: "2026-11-25", dueTime: "17:00" }],
    ["3/4", { dueDate: "2027-03-04" }],
    ["12/31", { dueDate: "2026-12-31" }],
    ["24.12.", { dueDate: "2026-12-24" }],
    ["tomorrow or friday", null],
    ["yesterday", null],
    ["12", null],
    ["", null],
    ["monday tuesday", null],
  ])("%j is %j", (text, due) => {
    expect(readDueText(text, contextAt(NOW))).toEqual(due);
  });
});

test("any text is read without an error, and none of its words is lost", () => {
  const words =
    'call tomorrow next friday 9am at um in 3 days 1.12. 12/3 every monday #a @Garden @x !high "a ` - , . bis to'.split(
      " ",
    );
  const text = fc.oneof(
    fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((chosen) => chosen.join(" ")),
    fc.string(),
  );
  const letters = (value: string) =>
    value
      .replaceAll(/[^\p{L}\p{N}#@!]/gu, "")
      .split("")
      .toSorted()
      .join("");
  fc.assert(
    fc.property(text, (typed) => {
      const task = read(typed);
      const understood = task.parts.filter(({ field }) => field !== "unknown-project").map((part) => part.text);
      expect(letters(task.title + understood.join(""))).toBe(letters(typed));
    }),
    { numRuns: 2_000 },
  );
});
