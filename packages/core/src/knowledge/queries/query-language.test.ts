import { expect, it } from "vitest";
import { rangeOf } from "../../platform/filter/filter-days.ts";
import type { Condition, Filter } from "../../platform/filter/filter.ts";
import { parseQuery, type Query } from "./query-language.ts";

const TODAY = "2026-11-26";

function read(text: string): Query {
  const parsed = parseQuery(text);
  if ("problem" in parsed) throw new Error(`${parsed.problem.line}:${parsed.problem.column} ${parsed.problem.message}`);
  return parsed.query;
}

function problemOf(text: string) {
  const parsed = parseQuery(text);
  return "problem" in parsed ? parsed.problem : null;
}

/** The days that a due date is compared with. */
function daysOf(date: string, today = TODAY): string {
  const where: Filter | null = read(`from tasks\nwhere due = ${date}`).where;
  const { values } = where as Condition;
  const { from = "", before = "" } = rangeOf(values[0] ?? "", { today });
  return `${from} ${before}`;
}

it("reads a whole query, its lines in any order", () => {
  const query = read("limit 20\nsort due, priority desc\nfrom tasks\nwhere project = Garden\ngroup by status\n");
  expect(query).toMatchObject({
    source: "tasks",
    limit: 20,
    view: "tasks",
    group: { field: "status", isDescending: false },
    sorts: [
      { field: "due", isDescending: false },
      { field: "priority", isDescending: true },
    ],
  });
  expect(read("")).toMatchObject({ source: "notes", where: null, limit: 100, view: "list" });
  expect(read("columns title, Rating").columns.map(({ label }) => label)).toEqual(["title", "Rating"]);
  expect(read("columns title").view).toBe("table");
});

it("takes a clause in the line of the source, and asks for another line elsewhere", () => {
  const query = read("from tasks where due < today\nsort due");
  expect(query).toEqual(read("from tasks\nwhere due < today\nsort due"));
  expect(problemOf("from tasks where due < today sort due")).toEqual({
    message: "“sort” is not expected here.",
    hint: "Begin another line with it.",
    line: 1,
    column: 30,
  });
});

it("gives `and` precedence over `or`, and takes indented lines as one", () => {
  const { where } = read("where #a\n  and not b = 1\nor (c = 2)\n// a comment\nwhere d");
  const c = { field: "property.c", op: "is", values: ["2"] };
  expect(where).toMatchObject({
    and: [
      { or: [{ and: [{ field: "tag", op: "within", values: ["a"] }, { not: { field: "property.b" } }] }, c] },
      { field: "property.d", op: "set" },
    ],
  });
});

it.each([
  ["today", "2026-11-26 2026-11-27"],
  ["tomorrow", "2026-11-27 2026-11-28"],
  ["today + 7d", "2026-12-03 2026-12-04"],
  ["today+7d", "2026-12-03 2026-12-04"],
  ["today - 2 weeks", "2026-11-12 2026-11-13"],
  ["today -2w", "2026-11-12 2026-11-13"],
  ["+1 month", "2026-12-26 2026-12-27"],
  ["-7d", "2026-11-19 2026-11-20"],
  ["in 3 days", "2026-11-29 2026-11-30"],
  ["3 days ago", "2026-11-23 2026-11-24"],
  ["this week", "2026-11-23 2026-11-30"],
  ["last month", "2026-10-01 2026-11-01"],
  ["next year", "2027-01-01 2028-01-01"],
  ["next 7 days", "2026-11-26 2026-12-03"],
  ["last 7 days", "2026-11-20 2026-11-27"],
  ["2026-02-28", "2026-02-28 2026-03-01"],
  ["2026-12", "2026-12-01 2027-01-01"],
  ["2024", "2024-01-01 2025-01-01"],
])("understands the date %s", (date, period) => {
  expect(daysOf(date)).toBe(period);
});

it("keeps the last day of a month within the month", () => {
  expect(daysOf("today + 1 month", "2026-01-31")).toBe("2026-02-28 2026-03-01");
});

it("takes words without quotation marks as one text, and keeps texts in them as they are", () => {
  const whereOf = (text: string) => read(`where ${text}`).where;
  const is = (field: string, ...values: string[]) => ({ field, op: "is", values });
  expect(whereOf("author = Ursula Le Guin and x")).toMatchObject({
    and: [is("property.author", '"Ursula Le Guin"'), { op: "set" }],
  });
  expect(whereOf('author = "today and or ("')).toEqual(is("property.author", '"today and or ("'));
  expect(whereOf("author = Emma's book")).toEqual(is("property.author", `"Emma's book"`));
  expect(whereOf('"due date" < today')).toEqual({ field: "property.due date", op: "<", values: ["today"] });
  expect(whereOf("property.title = x")).toEqual(is("property.title", '"x"'));
  expect(whereOf("rating in (4, 5)")).toEqual(is("property.rating", "4", "5"));
  expect(whereOf('rating: "4"')).toEqual(is("property.rating", '"4"'));
});

it("takes filters of tasks as they are written elsewhere", () => {
  expect(read("from tasks\nwhere status:todo,blocked and due:next-7-days and not assignee:none").where).toEqual({
    and: [
      { field: "status", op: "is", values: ["todo", "blocked"] },
      { field: "due", op: "is", values: ["next-7-days"] },
      { not: { field: "assignee", op: "is", values: ["none"] } },
    ],
  });
});

it.each([
  ["", "wher a = 1", 1, 1],
  ["a mistake in a field of tasks", "from tasks\nwhere dew < today", 2, 7],
  ["a date that is none", "from tasks\nwhere due < soon", 2, 13],
  ["an unknown status", "from tasks\nwhere status = finished", 2, 16],
  ["an open quotation mark", 'where a = "b', 1, 11],
  ["an open parenthesis", "where (a = 1", 1, 7],
  ["nothing after an operator", "where a =", 1, 10],
  ["something after the end", "where a = 1 )", 1, 13],
  ["two lines of a kind", "limit 1\nlimit 2", 2, 1],
  ["a limit that is too high", "limit 501", 1, 7],
  ["another source", "from files", 1, 6],
  ["an order of what has none", "where title < 3", 1, 13],
  ["a source that cannot be shown so", "show tasks", 1, 6],
  ["a day that does not exist", "from tasks\nwhere due = 2026-02-30", 2, 13],
])("says where and what is wrong: %s", (_what, text, line, column) => {
  expect(problemOf(text)).toMatchObject({ line, column });
});

it("bounds length, depth and number", () => {
  expect(problemOf("x".repeat(4_001))).not.toBeNull();
  expect(problemOf(`where ${"(".repeat(500)}`)).toMatchObject({ message: expect.stringContaining("deep") });
  expect(problemOf(`where ${"not ".repeat(900)} a`)).toMatchObject({ message: expect.stringContaining("deep") });
  expect(problemOf(`where ${Array(60).fill("a").join(" and ")}`)).not.toBeNull();
  expect(problemOf(`columns ${Array(13).fill("a").join(", ")}`)).not.toBeNull();
});
