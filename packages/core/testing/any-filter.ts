import * as fc from "fast-check";
import { conditionOf } from "../src/work/task-filter/filter-values.ts";
import { joinFilters, type FilterField, type FilterOp, type TaskFilter } from "../src/work/task-filter/task-filter.ts";

const DAYS = ["today", "tomorrow", "yesterday", "+3d", "-3d", "-2w", "2026-11-26", "2026-11-29"];
const PERIODS = [
  ...DAYS,
  "none",
  "any",
  "later",
  "this-week",
  "next-week",
  "last-week",
  "this-month",
  "next-month",
  "last-month",
  "next-7-days",
  "last-3-days",
];
const COMPARISONS: readonly FilterOp[] = ["<", "<=", ">", ">="];

/** Filters with every field and operator; `texts` are possible values of fields that have any, `ids` of references. */
export function anyFilter(
  texts: readonly string[],
  ids: readonly string[],
  tasks: readonly string[],
): fc.Arbitrary<TaskFilter> {
  const some = (values: readonly string[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
  const is = (field: FilterField, values: readonly string[]) =>
    some(values).map((chosen) => conditionOf(field, "is", chosen));
  const compared = (field: FilterField, values: readonly string[]) =>
    fc
      .tuple(fc.constantFrom(...COMPARISONS), fc.constantFrom(...values))
      .map(([op, value]) => conditionOf(field, op, [value]));
  const condition: fc.Arbitrary<TaskFilter> = fc.oneof(
    is("status", ["todo", "in_progress", "done", "blocked", "open"]),
    is("priority", ["1", "2", "3"]),
    compared("priority", ["1", "2", "3"]),
    is("parent", [...tasks, "none"]),
    is("claimed", ["yes", "no"]),
    is("snoozed", ["yes", "no"]),
    is("due", [...PERIODS, "overdue"]),
    ...(["due", "created", "changed", "completed"] as const).flatMap((field) => [
      is(field, PERIODS),
      compared(field, DAYS),
    ]),
    ...(["tag", "text"] as const).map((field) => is(field, [...texts, "none"])),
    ...(["project", "assignee", "creator"] as const).map((field) => is(field, [...ids, "none", "me"])),
  );
  return fc.letrec<{ filter: TaskFilter }>((tie) => ({
    filter: fc.oneof(
      { depthSize: "small", withCrossShrink: true, maxDepth: 4 },
      condition,
      fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map((parts) => joinFilters("and", parts)),
      fc.array(tie("filter"), { minLength: 1, maxLength: 3 }).map((parts) => joinFilters("or", parts)),
      tie("filter").map((not) => ({ not })),
    ),
  })).filter;
}
