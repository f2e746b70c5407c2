import { readCsvRecords } from "../../../platform/csv.ts";
import { InvalidInputError } from "../../../platform/errors.ts";

/** A row is processed in one go, whatever it consists of. */
const MAX_LINE_CHARACTERS = 120_000;
const MAX_COLUMNS = 500;

/** A row by the names of its columns, and the line on which it ends. */
export interface CsvRow {
  readonly line: number;
  /** The text of a column; empty if the row or the file does not have it. */
  column(name: string): string;
}

/** The rows of a table with a header. Throws InvalidInputError if it is no such table or lacks a column. */
export async function* readCsv(content: string, required: readonly string[]): AsyncGenerator<CsvRow> {
  assertShortLines(content);
  let places: ReadonlyMap<string, number> | undefined;
  for await (const { cells, line } of readCsvRecords(content, "content")) {
    if (places === undefined) {
      assertColumns(cells, required);
      places = new Map(cells.map((name, place) => [name, place]));
      continue;
    }
    const placeOf = places;
    yield { line, column: (name) => cells[placeOf.get(name) ?? -1] ?? "" };
  }
}

function assertShortLines(content: string): void {
  for (let start = 0; start < content.length;) {
    const lineBreak = content.indexOf("\n", start);
    const end = lineBreak === -1 ? content.length : lineBreak;
    if (end - start > MAX_LINE_CHARACTERS)
      throw InvalidInputError.at("content", "is no valid CSV: a line has more than 120,000 characters");
    start = end + 1;
  }
}

function assertColumns(names: readonly string[], required: readonly string[]): void {
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw InvalidInputError.at(
      "content",
      `expected a table with the columns ${required.join(", ")}; there is no ${missing.join(", no ")}`,
    );
  if (names.length > MAX_COLUMNS) throw InvalidInputError.at("content", `has more than ${MAX_COLUMNS} columns`);
}
