import { expect, test } from "vitest";
import { dayOf } from "../../dates/day.ts";
import { describeChange, type TaskChange } from "./describe-change.ts";

const context = {
  today: dayOf("2026-11-25"),
  nameOfProject: (id: string) => (id === "p" ? "Garden" : null),
  titleOfTask: (id: string) => (id === "t" ? "Build" : null),
};

test.each<[TaskChange["changes"], string]>([
  [[{ field: "title", before: "A", after: "B" }], "renamed it from “A” to “B”"],
  [[{ field: "description", before: null, after: "x" }], "added a description"],
  [[{ field: "description", before: "x", after: "y" }], "changed the description"],
  [[{ field: "description", before: "x", after: null }], "removed the description"],
  [
    [
      { field: "status", before: "todo", after: "done" },
      { field: "priority", before: 2, after: 3 },
      { field: "projectId", before: null, after: "p" },
    ],
    "set the status to Done, set the priority to High, and moved it to the project “Garden”",
  ],
  [
    [
      {
        field: "checklist",
        before: [{ id: "1", title: "a", isDone: false }],
        after: [
          { id: "1", title: "a", isDone: true },
          { id: "2", title: "b", isDone: false },
        ],
      },
    ],
    "added to the checklist “b” and ticked “a”",
  ],
  [
    [
      {
        field: "checklist",
        before: [{ id: "1", title: "a", isDone: false, afterId: null }],
        after: [{ id: "1", title: "a", isDone: false, afterId: "2" }],
      },
    ],
    "changed the order of the checklist",
  ],
  [[{ field: "relatesTo", before: [], after: [{ id: "t", title: "Build" }] }], "related it to “Build”"],
  [[{ field: "parentId", before: null, after: "t" }], "made it a subtask of “Build”"],
  [[{ field: "parentId", before: "gone", after: null }], "took it out of another task"],
  [[{ field: "projectId", before: "gone", after: null }], "took it out of a project that was deleted"],
  [
    [
      { field: "dueDate", before: null, after: "2026-11-26" },
      { field: "dueTime", before: null, after: "09:00" },
    ],
    "set the due date to tomorrow 9:00",
  ],
  [[{ field: "dueDate", before: "2026-11-26", after: null }], "removed the due date"],
  [
    [{ field: "tags", before: ["a", "b"], after: ["b", "c", "d"] }],
    "added the tags “c” and “d” and removed the tag “a”",
  ],
  [[{ field: "tags", before: ["a", "b"], after: ["b", "a"] }], "changed the order of the tags"],
  [[{ field: "deletedAt", before: null, after: "2026-11-25T10:00:00.000Z" }], "deleted it"],
  [[{ field: "deletedAt", before: "2026-11-25T10:00:00.000Z", after: null }], "restored it"],
  [
    [
      { field: "claim", before: null, after: "Laptop" },
      { field: "status", before: "todo", after: "in_progress" },
    ],
    "claimed it",
  ],
  [
    [
      { field: "claim", before: "Laptop", after: null },
      { field: "status", before: "in_progress", after: "todo" },
      { field: "handoverNote", before: null, after: "The seal is missing." },
    ],
    "released it and left the note “The seal is missing.”",
  ],
  [[{ field: "blockedBy", before: [], after: [{ id: "1", title: "Dig" }] }], "made it wait for “Dig”"],
])("%j is described as %s", (changes, text) => {
  expect(describeChange(changes, context)).toBe(text);
});
