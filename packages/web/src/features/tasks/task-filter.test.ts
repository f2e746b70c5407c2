import { describe, expect, it } from "vitest";
import { dayOf } from "../../dates/day.ts";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { dueFilterOf, filterTasks, NO_FILTER, NO_PROJECT, type TaskFilter } from "./task-filter.ts";

const today = dayOf("2026-11-20");
const site = { id: "p1", name: "Website", color: "#2563c9" };

const tasks = [
  sampleTask({ title: "Écrire la note", description: "für Jürgen", tags: ["paper"], dueDate: "2026-11-19" }),
  sampleTask({ title: "Fix login", status: "in_progress", projectId: "p1", project: site, dueDate: "2026-11-20" }),
  sampleTask({
    title: "Deploy",
    status: "done",
    projectId: "p1",
    project: site,
    dueDate: "2026-11-01",
    tags: ["launch", "paper"],
  }),
  sampleTask({ title: "Thrown away", deletedAt: "2026-11-10T00:00:00.000Z" }),
];

function titlesFor(filter: Partial<TaskFilter>): string[] {
  return filterTasks(tasks, { ...NO_FILTER, ...filter }, today, Date.parse("2026-11-25T10:00:00Z")).map(
    (task) => task.title,
  );
}

describe("filterTasks", () => {
  it("shows everything but deleted tasks without a filter", () => {
    expect(titlesFor({})).toEqual(["Écrire la note", "Fix login", "Deploy"]);
  });

  it.each<[string, Partial<TaskFilter>, string[]]>([
    ["text in any case, and in the description", { text: "JÜRGEN écrire" }, ["Écrire la note"]],
    ["text in the project's name and in tags", { text: "website launch" }, ["Deploy"]],
    ["any of several statuses", { statuses: ["done", "in_progress"] }, ["Fix login", "Deploy"]],
    ["tasks of no project", { projectIds: [NO_PROJECT] }, ["Écrire la note"]],
    ["any of several tags", { tags: ["launch", "paper"] }, ["Écrire la note", "Deploy"]],
    ["overdue tasks that are not done", { due: ["overdue"] }, ["Écrire la note"]],
    ["only tasks that match all parts", { projectIds: ["p1"], due: ["today"] }, ["Fix login"]],
  ])("finds %s", (_, filter, expected) => {
    expect(titlesFor(filter)).toEqual(expected);
  });
});

describe("dueFilterOf", () => {
  it.each([
    [null, "todo", "none"],
    ["2026-11-19", "todo", "overdue"],
    ["2026-11-19", "done", "later"],
    ["2026-11-20", "todo", "today"],
    ["2026-11-27", "todo", "week"],
    ["2026-11-28", "todo", "later"],
  ] as const)("classifies %s, %s as %s", (dueDate, status, expected) => {
    expect(dueFilterOf({ dueDate, status }, today)).toBe(expected);
  });
});
