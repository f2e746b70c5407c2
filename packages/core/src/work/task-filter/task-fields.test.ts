import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filterFromJson } from "../../platform/filter/filter-values.ts";
import { FilterError, MAX_FILTER_DEPTH } from "../../platform/filter/filter.ts";
import { anyFilter } from "../../../testing/any-filter.ts";
import { parseFilter, printFilter, TASK_FIELDS, type TaskFilter } from "./task-fields.ts";

const same = (text: string, printed = text) => expect(printFilter(parseFilter(text))).toBe(printed);

describe("parseFilter", () => {
  it("reads what people write", () => {
    same("status:todo,blocked and (priority:high or due:overdue) and not tag:waiting");
    same("STATUS = in-progress  -tag:waiting", "status:in_progress and not tag:waiting");
    same("invoice 2026", "text:invoice and text:2026");
    same('"not done" project != "Garden, back"', 'text:"not done" and not project:"Garden, back"');
    same('due < +2w or due:"next 7 days"', "due < +2w or due:next-7-days");
    same("not (status:done or status:blocked)");
    same("((priority >= medium))", "priority >= medium");
    same("title:dentist");
    same('title = "Call dentist" or title contains bank', 'title="Call dentist" or title:bank');
    same("created >= -7d and completed:none");
    same("tag:or,and,not");
    same("  ", "");
  });

  it("reads what people write in notes", () => {
    same("due <= today + 7d and #home", "due <= +7d and tag within home");
    same("due = next week or due:next 7 days", "due:next-week or due:today..+7d-1d");
    same("completed = 3 days ago modified:2026-11", "completed:-3d and changed:2026-11");
    same("status in (todo, blocked) and project contains gar", "status:todo,blocked and project contains gar");
    same('title begins with "a b" description is not empty', 'title begins with "a b" and not description is empty');
    same("priority != high and assignee is empty", "not priority:high and assignee:none");
  });

  it("binds and tighter than or, and not tightest", () => {
    expect(parseFilter("not tag:a tag:b or tag:c")).toEqual({
      or: [
        {
          and: [{ not: { field: "tag", op: "is", values: ["a"] } }, { field: "tag", op: "is", values: ["b"] }],
        },
        { field: "tag", op: "is", values: ["c"] },
      ],
    });
  });

  it("reads JSON", () => {
    expect(printFilter(parseFilter('{"not":{"field":"due","op":"<","values":["Today"]}}'))).toBe("not due < today");
  });

  it.each([
    ["status:", "a value is missing (at character 8)"],
    ["status:nothing", "status: expected todo, in_progress, done, blocked, open (at character 8)"],
    ["(status:todo", "a parenthesis is not closed (at character 1)"],
    ["status:todo)", "a parenthesis is closed that was not opened (at character 12)"],
    ["tag:a and", "a condition is missing, such as status:todo (at character 10)"],
    ["or tag:a", "a condition is missing after “or” (at character 1)"],
    ["owner:me", "“owner” is no field"],
    ["tag > a", "tag cannot be compared with >"],
    ["due > overdue", "due: expected a day such as"],
    ["due:31.12.", "due: expected a day such as"],
    ["due:2026-02-30", "due: expected a day such as"],
    ['text:"open', "a quotation mark is not closed (at character 6)"],
    ["priority > low,high", "priority > takes one value"],
    ['{"and":[]}', "expected a list of 1 to 50 filters"],
    ['{"field":"tag","values":[1]}', "values: expected texts"],
    ['{"field":"tag"}', "values: expected a list of at most 50"],
    ["{", "the JSON is not valid"],
    [Array.from({ length: 51 }, (_, index) => `t${index}`).join(" "), "more than 50 conditions"],
    [`${"(".repeat(30)}tag:a${")".repeat(30)}`, `nested more than ${MAX_FILTER_DEPTH} deep`],
    [`${"not ".repeat(30)}tag:a`, `nested more than ${MAX_FILTER_DEPTH} deep`],
    ["a".repeat(2_001), "a filter has at most 2000 characters"],
  ])("refuses %s", (text, message) => {
    expect(() => parseFilter(text)).toThrow(FilterError);
    expect(() => parseFilter(text)).toThrow(message);
  });

  it("either reads a text or says what is wrong", () => {
    const pieces = fc.constantFrom(
      "status",
      "due",
      ":",
      "<=",
      "!=",
      ",",
      "(",
      ")",
      "-",
      "not ",
      " or ",
      '"',
      "\\",
      "{",
      "a",
      "+3d",
      " ",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        let filter: TaskFilter | null = null;
        try {
          filter = parseFilter(parts.join(""));
        } catch (error) {
          if (!(error instanceof FilterError)) throw error;
        }
        expect(parseFilter(printFilter(filter))).toEqual(filter);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("printFilter", () => {
  it("prints what is read as the same filter", () => {
    fc.assert(
      fc.property(
        anyFilter(
          ["a", 'b "c" \\', "or", "-d", "(e)", "f,g", "<", "-3d"],
          ["Ada L.", "x"],
          ["0198c0de-0000-7000-8000-000000000001"],
        ),
        (filter) => {
          const text = printFilter(filter);
          fc.pre(text.length <= 2_000);
          expect(printFilter(parseFilter(text))).toBe(text);
          expect(printFilter(filterFromJson(TASK_FIELDS, JSON.parse(JSON.stringify(filter))))).toBe(text);
        },
      ),
      { numRuns: 500 },
    );
  });
});
