import { describe, expect, it } from "vitest";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { groupByStatus, type TaskOrder } from "./task-order.ts";
import { outlineOf } from "./task-outline.ts";
import { listItemsOf, taskIdsOf } from "./task-list-items.ts";

const low = sampleTask({ title: "b", priority: 1, dueDate: "2026-11-20" });
const high = sampleTask({ title: "a10", priority: 3 });
const medium = sampleTask({ title: "a9", priority: 2, dueDate: "2026-11-19" });
const started = sampleTask({ status: "in_progress" });

function todoTitles(order: TaskOrder): string[] {
  const groups = groupByStatus([low, high, medium, started], order);
  return groups.find((group) => group.status === "todo")?.tasks.map((task) => task.title) ?? [];
}

describe("groupByStatus", () => {
  it.each<[TaskOrder, string[]]>([
    ["newest", ["a9", "a10", "b"]],
    ["due", ["a9", "b", "a10"]],
    ["priority", ["a10", "a9", "b"]],
    ["title", ["a9", "a10", "b"]],
  ])("orders by %s within a status", (order, expected) => {
    expect(todoTitles(order)).toEqual(expected);
  });

  it("orders tasks of one day by their times, and those without one last", () => {
    const times = [null, "14:00", "09:30"];
    const tasks = times.map((dueTime) => sampleTask({ dueDate: "2026-11-20", dueTime }));
    const [group] = groupByStatus(tasks, "due", ["todo"]);
    expect(group?.tasks.map(({ dueTime }) => dueTime)).toEqual(["09:30", "14:00", null]);
  });

  it("puts tasks in progress first, and sorts done tasks by completion, latest first", () => {
    const early = sampleTask({ status: "done", completedAt: "2026-11-01T00:00:00.000Z" });
    const late = sampleTask({ status: "done", completedAt: "2026-11-02T00:00:00.000Z" });
    const groups = groupByStatus([early, late, low, started], "newest");
    expect(groups.map((group) => group.status)).toEqual(["in_progress", "todo", "blocked", "done"]);
    expect(groups[3]?.tasks).toEqual([late, early]);
  });
});

describe("listItemsOf", () => {
  it("omits empty groups and the tasks of collapsed ones", () => {
    const groups = groupByStatus([low, started], "newest");
    const items = listItemsOf(outlineOf(groups, new Set()), new Set(["todo"]));
    expect(items.map((item) => (item.kind === "header" ? item.status : item.task.id))).toEqual([
      "in_progress",
      started.id,
      "todo",
    ]);
    expect(taskIdsOf(items)).toEqual([started.id]);
  });
});
