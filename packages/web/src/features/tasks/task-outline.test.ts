import { expect, test } from "vitest";
import { sampleTask } from "../../test-kit/sample-task.ts";
import { groupByStatus } from "./task-order.ts";
import { outlineOf } from "./task-outline.ts";
import { placeAt, type OutlineRow } from "./outline-place.ts";
import type { Task } from "./task.ts";

const shown = (tasks: readonly Task[], folded: readonly string[] = []) =>
  outlineOf(groupByStatus(tasks, "title"), new Set(folded)).flatMap((group) =>
    group.tasks.map(
      ({ task, depth, isFolded }) => `${group.status} ${"-".repeat(depth)}${task.title}${isFolded === true ? "…" : ""}`,
    ),
  );

const build = sampleTask({ id: "build", title: "build", status: "in_progress" });
const dig = sampleTask({ id: "dig", title: "dig", parentId: "build", position: "b" });
const fill = sampleTask({ id: "fill", title: "fill", parentId: "build", position: "a", status: "done" });
const sand = sampleTask({ id: "sand", title: "sand", parentId: "dig" });
const other = sampleTask({ id: "other", title: "other" });

test("subtasks are below their parents in the manual order, whatever their status", () => {
  expect(shown([sand, other, dig, fill, build])).toEqual([
    "in_progress build",
    "in_progress -fill",
    "in_progress -dig",
    "in_progress --sand",
    "todo other",
  ]);
  expect(shown([sand, other, dig, fill, build], ["dig"]).at(2)).toBe("in_progress -dig…");
  expect(shown([sand, other, dig, fill, build], ["build"])).toEqual(["in_progress build…", "todo other"]);
});

test("an open subtask is not hidden by a parent that is done or not shown", () => {
  expect(shown([{ ...build, status: "done" }, dig, fill, sand])).toEqual([
    "todo dig",
    "todo -sand",
    "done build",
    "done -fill",
  ]);
  expect(shown([fill, sand])).toEqual(["todo sand", "done fill"]);
});

const rows: OutlineRow[] = [
  { id: "build", depth: 0, group: "in_progress" },
  { id: "fill", depth: 1, group: "in_progress" },
  { id: "dig", depth: 1, group: "in_progress" },
  { id: "sand", depth: 2, group: "in_progress" },
  { id: "other", depth: 0, group: "todo" },
];

test.each([
  [1, 0, { parentId: "build", beforeId: "fill", group: "in_progress" }],
  [2, 1, { parentId: "build", afterId: "fill", group: "in_progress" }],
  [2, 2, { parentId: "fill", afterId: "fill", group: "in_progress" }],
  [4, 9, { parentId: "sand", afterId: "sand", group: "in_progress" }],
  [4, 2, { parentId: "dig", afterId: "sand", group: "in_progress" }],
  [4, 1, { parentId: "build", afterId: "dig", group: "in_progress" }],
  [4, 0, { parentId: null, afterId: "build", group: "in_progress" }],
  [0, 3, { parentId: null, beforeId: "build", group: "in_progress" }],
  [5, 0, { parentId: null, afterId: "other", group: "todo" }],
])("between rows, at %i with depth %i", (index, depth, place) => {
  expect(placeAt(rows, index, depth)).toMatchObject(place);
});
