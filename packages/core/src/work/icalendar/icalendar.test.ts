import ICAL from "ical.js";
import { expect, test } from "vitest";
import type { CalendarTask } from "./calendar-task.ts";
import { calendarOf, writeComponent } from "./jcal.ts";
import { toEvent } from "./task-event.ts";
import { toTodo } from "./task-todo.ts";
import { describeTimeZone } from "./zone-description.ts";

const task: CalendarTask = {
  id: "0199c1b0-0000-7000-8000-000000000000",
  title: "Water, the; plants\\",
  description: null,
  status: "todo",
  priority: 2,
  dueDate: null,
  dueTime: null,
  tags: [],
  completedAt: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  modifiedAt: "2026-01-02T00:00:00.000Z",
};
const options = { timeZone: "Europe/Berlin", urlOf: (id: string) => `https://w.example/tasks/${id}` };

function eventLines(due: Pick<CalendarTask, "dueDate" | "dueTime">): string[] {
  const event = toEvent({ ...task, ...due }, options);
  const lines = event === null ? [] : writeComponent(event).split("\r\n");
  return lines.filter((line) => line.startsWith("DT")).filter((line) => !line.startsWith("DTSTAMP"));
}

test.each([
  ["2026-12-24", null, ["DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261225"]],
  ["2026-12-31", "23:45", ["DTSTART;TZID=Europe/Berlin:20261231T234500", "DTEND;TZID=Europe/Berlin:20270101T001500"]],
  ["2026-12-24T23:59:59.999Z", null, ["DTSTART:20261224T235959Z", "DTEND:20261225T002959Z"]],
  ["9999-12-31", null, ["DTSTART;VALUE=DATE:99991231"]],
  ["9999-12-31", "23:59", ["DTSTART;TZID=Europe/Berlin:99991231T235900"]],
  ["0000-01-01", null, ["DTSTART;VALUE=DATE:00000101", "DTEND;VALUE=DATE:00000102"]],
  [null, null, []],
])("an event of a task due %s %s", (dueDate, dueTime, lines) => {
  expect(eventLines({ dueDate, dueTime })).toEqual(lines);
});

test("whatever the texts are, an independent reading gives them back", () => {
  const title = `BEGIN:VEVENT\nATTACH:x \\n, ; : " 'é' 🐟 ${"long ".repeat(80)}`;
  const todo = toTodo({ ...task, title, tags: ["a,b", "c;d"], description: "1\r\n2\u0000\ud800" }, options);
  const read = new ICAL.Component(ICAL.parse(writeComponent(calendarOf([], [todo])))).getFirstSubcomponent("vtodo");
  expect(read?.getFirstPropertyValue("summary")).toBe(title);
  expect(read?.getFirstPropertyValue("description")).toBe("1\n2\uFFFD");
  expect(read?.getFirstProperty("categories")?.getValues()).toEqual(["a,b", "c;d"]);
  expect(read?.getAllProperties("attach")).toEqual([]);
});

test("no line has more than 75 octets", () => {
  const todo = toTodo({ ...task, title: "é🐟x".repeat(60), description: "x".repeat(1_000) }, options);
  const lengths = writeComponent(calendarOf([], [todo]))
    .split("\r\n")
    .map((line) => Buffer.byteLength(line));
  expect(Math.max(...lengths)).toBe(75);
});

test("every time zone that a feed can have is described, however it is spelled", async () => {
  for (const timeZone of [...Intl.supportedValuesOf("timeZone"), "utc", "europe/berlin", "US/Pacific", "EST5EDT"]) {
    const { name, component } = await describeTimeZone(timeZone);
    expect(component).toContain(`\r\nTZID:${name}\r\n`);
  }
});
