import type { ReadFilter } from "./filter-reader.ts";
import { OPEN, NONE } from "../../platform/filter/filter.ts";
import type { TaskFilter } from "./task-fields.ts";

const EVERY_FIELD: TaskFilter = {
  or: [
    { field: "status", op: "is", values: ["todo", OPEN] },
    { field: "priority", op: "is", values: ["1"] },
    { not: { field: "priority", op: ">", values: ["1"] } },
    { field: "project", op: "is", values: [NONE] },
    { field: "parent", op: "is", values: [NONE] },
    { field: "tag", op: "is", values: ["a", NONE] },
    { field: "assignee", op: "is", values: [NONE] },
    { field: "creator", op: "is", values: [NONE] },
    { field: "claimed", op: "is", values: ["yes", "no"] },
    { field: "snoozed", op: "is", values: ["yes", "no"] },
    { field: "tag", op: "within", values: ["a"] },
    { field: "tag", op: "has", values: ["a"] },
    { field: "holder", op: "is", values: ["a"] },
    { field: "title", op: "has", values: ["a"] },
    { field: "description", op: "begins", values: ["a"] },
    { field: "description", op: "empty", values: [] },
    { field: "text", op: "is", values: ["a"] },
    { field: "due", op: "is", values: ["overdue", "today", NONE] },
    { and: (["created", "changed", "completed"] as const).map((field) => ({ field, op: "is", values: ["today"] })) },
  ],
};

/** For the test of statements: every field, in every form. */
export const FILTER_EXAMPLE: ReadFilter = {
  filter: EVERY_FIELD,
  context: {
    today: "2026-11-26",
    startOf: (day) => `${day}T00:00:00.000Z`,
    now: "2026-11-26T12:00:00.000Z",
    me: null,
  },
};
