import { describe, expect, it } from "vitest";
import { compute } from "../../../browser/compute-in-slices.ts";
import { compareTexts, diffRows } from "./diff-rows.ts";

const rowsOf = (before: string, after: string) => [...diffRows(compute(compareTexts(before, after)))];

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

describe("diffRows", () => {
  it("shows three lines of context around a change, and how many lines are hidden between", () => {
    const before = numbered(1, 20);
    const rows = rowsOf(before.join("\n"), before.with(9, "changed").join("\n"));
    expect(
      rows.map((row) => (row.kind === "gap" ? `gap of ${row.count}` : `${row.kind} ${row.line} ${row.text}`)),
    ).toEqual([
      "gap of 6",
      "same 7 line 7",
      "same 8 line 8",
      "same 9 line 9",
      "removed 10 line 10",
      "added 10 changed",
      "same 11 line 11",
      "same 12 line 12",
      "same 13 line 13",
      "gap of 7",
    ]);
  });

  it("never hides a single line", () => {
    const rows = rowsOf("a\nb", "a\nc");
    expect(rows.map(({ kind }) => kind)).toEqual(["same", "removed", "added"]);
  });

  it("shows only a gap for two identical texts", () => {
    expect(rowsOf("a\nb\nc", "a\nb\nc").map(({ kind }) => kind)).toEqual(["gap"]);
  });

  it("shows every line of what was added to an empty text, and of what was removed to leave one", () => {
    expect(rowsOf("", "a\n\nb").map(({ kind }) => kind)).toEqual(["added", "added", "added"]);
    expect(rowsOf("a\n\nb", "").map(({ kind }) => kind)).toEqual(["removed", "removed", "removed"]);
    expect(rowsOf("", "")).toEqual([]);
  });
});
