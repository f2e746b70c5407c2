import * as fc from "fast-check";
import { joinFilters, type FilterOp } from "../src/platform/filter/filter.ts";
import { conditionOf, type TaskField, type TaskFilter } from "../src/work/task-filter/task-fields.ts";

const DAYS = ["today", "tomorrow", "yesterday", "+3d", "-3d", "-2w", "+1m", "2026-11-26", "2026-11-29", "this-week"];
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
  "last-year",
  "2026-11",
  "2026",
  "today..+1w-1d",
];
const COMPARISONS: readonly FilterOp[] = ["<", "<=", ">", ">="];

/** Filters with every field and operator; `texts` are possible values of fields that have any, `ids` of references. */
export function anyFilter(
  texts: readonly string[],
  ids: readonly string[],
  tasks: readonly string[],
): fc.Arbitrary<TaskFilter> {
  const some = (values: readonly string[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
  const is = (field: TaskField, values: readonly string[]) =>
    some(values).map((chosen) => conditionOf(field, "is", chosen));
  const compared = (field: TaskField, values: readonly string[]) =>
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
    ...(["has", "begins", "within"] as const).map((op) => some(texts).map((chosen) => conditionOf("tag", op, chosen))),
    ...(["title", "description", "holder"] as const).flatMap((field) => [
      is(field, texts),
      fc.constant(conditionOf(field, "empty", [])),
      ...(["has", "begins"] as const).map((op) => some(texts).map((chosen) => conditionOf(field, op, chosen))),
    ]),
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
