import { describe, expect, it } from "vitest";
import { dayOf } from "../../dates/day.ts";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { byDueDate } from "../tasks/task-order.ts";
import { homeSections, SECTION_LIMIT } from "./home-sections.ts";

const today = dayOf("2026-11-20");
const now = Date.parse("2026-11-20T10:00:00Z");

describe("homeSections", () => {
  it("puts every task into at most one section, the most urgent that applies", () => {
    const sections = homeSections(
      [
        sampleTask({ title: "late and started", status: "in_progress", dueDate: "2026-11-01" }),
        sampleTask({ title: "today", dueDate: "2026-11-20" }),
        sampleTask({ title: "started", status: "in_progress" }),
        sampleTask({ title: "soon", dueDate: "2026-11-25" }),
        sampleTask({ title: "some day" }),
        sampleTask({ title: "done", status: "done", dueDate: "2026-11-01", completedAt: "2026-11-19T12:00:00.000Z" }),
        sampleTask({ title: "done long ago", status: "done", completedAt: "2026-10-01T12:00:00.000Z" }),
        sampleTask({ title: "snoozed", dueDate: "2026-11-20", snoozedUntil: "2026-11-20T18:00:00.000Z" }),
        sampleTask({ title: "deleted", dueDate: "2026-11-20", deletedAt: "2026-11-19T12:00:00.000Z" }),
      ],
      today,
      now,
    );
    expect(sections.map(({ title, tasks }) => [title, tasks.map((task) => task.title)])).toEqual([
      ["Overdue", ["late and started"]],
      ["Today", ["today"]],
      ["In progress", ["started"]],
      ["Next 7 days", ["soon"]],
      ["Done in the last 7 days", ["done"]],
    ]);
  });

  it("shows the first few tasks and counts all", () => {
    const many = Array.from({ length: SECTION_LIMIT + 3 }, () => sampleTask({ dueDate: "2026-11-20" }));
    const [section] = homeSections(many, today, now);
    expect(section?.tasks).toHaveLength(SECTION_LIMIT);
    expect(section?.total).toBe(SECTION_LIMIT + 3);
  });

  it("shows the first of a section in its order", () => {
    const days = [25, 21, 24, 27, 22, 21, 26, 23, 24, 25, 22];
    const tasks = days.map((day, index) => sampleTask({ title: `${day}-${index}`, dueDate: `2026-11-${day}` }));
    const [section] = homeSections(tasks, today, now);
    expect(section?.tasks).toEqual(tasks.toSorted(byDueDate).slice(0, SECTION_LIMIT));
  });

  it("what was done since the beginning of a day here, six days ago, is recent", () => {
    const begin = new Date(2026, 10, 14);
    const doneAt = (title: string, ms: number) =>
      sampleTask({ title, status: "done", completedAt: new Date(ms).toISOString() });
    const sections = homeSections(
      [doneAt("first", begin.getTime()), doneAt("before", begin.getTime() - 1)],
      today,
      now,
    );
    expect(sections.flatMap(({ tasks }) => tasks.map(({ title }) => title))).toEqual(["first"]);
  });
});
