import { joinParts, matcherOf, withIds, TASK_FIELDS } from "@workspace/core/task-filter";
import { expect, it } from "vitest";
import { dayOf, toPlainDate } from "../../dates/day.ts";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { quickConditions } from "./quick-conditions.ts";
import { DUE_FILTERS, filterTasks, NO_FILTER, NO_PROJECT, type TaskFilter } from "./task-filter.ts";

const today = dayOf("2026-11-20");
const now = "2026-11-20T10:00:00.000Z";
const site = { id: "0198c0de-0000-7000-8000-000000000001", name: "Website", color: "#2563c9" };

const tasks = [undefined, -20, -1, 0, 1, 7, 8].flatMap((days, index) =>
  (["todo", "done"] as const).map((status) =>
    sampleTask({
      title: `Task ${index} of the site`,
      status,
      dueDate: days === undefined ? null : toPlainDate(today + days),
      tags: index % 2 === 0 ? ["Paper"] : [],
      ...(index % 3 === 0 && { project: site, projectId: site.id }),
    }),
  ),
);

it.each<Partial<TaskFilter>>([
  ...DUE_FILTERS.map((due) => ({ due: [due] })),
  { due: ["overdue", "later"] },
  { statuses: ["todo"], tags: ["Paper"] },
  { projectIds: [NO_PROJECT] },
  { projectIds: [site.id], text: "task site" },
  { text: "paper" },
  { text: "WEB" },
])("find on the server what the bar finds with %j", (part) => {
  const filter = { ...NO_FILTER, ...part };
  const expression = joinParts(quickConditions(filter));
  const named = expression && withIds(TASK_FIELDS, expression, { project: [site], party: [] });
  const matches = matcherOf(named, {
    today: toPlainDate(today),
    startOf: (day) => `${day}T00:00:00.000Z`,
    now,
    me: null,
  });
  expect(tasks.filter(matches)).toEqual(filterTasks(tasks, filter, today, Date.parse(now)));
});
