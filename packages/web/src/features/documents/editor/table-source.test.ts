import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cellText,
  readTable,
  withCell,
  withColumn,
  withNextAlignment,
  withoutColumn,
  withoutRow,
  withRow,
  writeTable,
} from "./table-source.ts";

const SOURCE = "| Day | Way  |\n| :-- | ---: |\n| Sat | `a \\| b` |\n| Sun | 9 |";

describe("a table's source", () => {
  it("is written as it was read, in its usual form", () => {
    expect(writeTable(readTable(SOURCE))).toBe(SOURCE);
    expect(writeTable(readTable("a|b\n-|-\nc"))).toBe("|a|b|\n|-|-|\n|c|  |");
  });

  it("shows a cell without escapes, and escapes what is typed", () => {
    const table = readTable(SOURCE);
    expect(cellText(table, 1, 1)).toBe("`a | b`");
    const changed = withCell(withCell(table, 2, 1, "x | y\nz"), 0, 0, "D");
    expect(writeTable(changed)).toBe("| D   | Way  |\n| :-- | ---: |\n| Sat | `a \\| b` |\n| Sun | x \\| y<br>z |");
  });

  it("gives back any text that is typed into a cell", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "|", "\\", " ", "`", "é"), maxLength: 12 });
    fc.assert(
      fc.property(text, (typed) => {
        const table = readTable(writeTable(withCell(readTable(SOURCE), 1, 0, typed)));
        expect(table.rows).toHaveLength(3);
        expect(table.dashes).toHaveLength(2);
        expect(cellText(table, 1, 1)).toBe("`a | b`");
        expect(cellText(table, 1, 0).replaceAll("&#124;", "|")).toBe(typed.trim());
      }),
    );
  });

  it("gets and loses rows and columns", () => {
    const table = readTable("| a | b |\n| --- | --- |\n| c | d |");
    expect(writeTable(withRow(table, 0))).toBe("| a | b |\n| --- | --- |\n|  |  |\n| c | d |");
    expect(writeTable(withoutRow(table, 1))).toBe("| a | b |\n| --- | --- |");
    expect(writeTable(withoutRow(table, 0))).toBe(writeTable(table));
    expect(writeTable(withColumn(table, 1))).toBe("| a |  | b |\n| --- | --- | --- |\n| c |  | d |");
    expect(writeTable(withoutColumn(table, 0))).toBe("| b |\n| --- |\n| d |");
    expect(writeTable(withoutColumn(withoutColumn(table, 0), 0))).toBe("| b |\n| --- |\n| d |");
    let aligned = table;
    for (const dashes of [":--", ":-:", "--:", "---"]) {
      aligned = withNextAlignment(aligned, 1);
      expect(writeTable(aligned)).toBe(`| a | b |\n| --- | ${dashes} |\n| c | d |`);
    }
  });
});
