import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { InvalidInputError } from "../../../platform/errors.ts";
import { inTurns } from "../../../platform/in-slices.ts";
import { splitText } from "../../../platform/text-pieces.ts";

/** Of rows of one letter, parsing this many characters takes 20 to 30 ms. */
const PIECE_CHARACTERS = 1024;
/** A row is processed in one go, whatever it consists of. */
const MAX_LINE_CHARACTERS = 120_000;
const MAX_RECORD_CHARACTERS = 300_000;
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
  const parser = Readable.from(splitText(content, PIECE_CHARACTERS)).pipe(
    parse({
      bom: true,
      columns: (names: string[]) => checkedColumns(names, required),
      info: true,
      maxRecordSize: MAX_RECORD_CHARACTERS,
      relaxColumnCount: true,
      skipEmptyLines: true,
    }),
  );
  try {
    // The types of the library do not follow its options.
    const rows = parser as AsyncIterable<{ record: Record<string, string>; info: { lines: number } }>;
    for await (const row of inTurns(rows)) {
      yield { line: row.info.lines, column: (name) => row.record[name] ?? "" };
    }
  } catch (error) {
    if (error instanceof CsvError) throw InvalidInputError.at("content", `is no valid CSV: ${error.message}`);
    throw error;
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

function checkedColumns(names: readonly string[], required: readonly string[]): string[] {
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw InvalidInputError.at(
      "content",
      `expected a table with the columns ${required.join(", ")}; there is no ${missing.join(", no ")}`,
    );
  if (names.length > MAX_COLUMNS) throw InvalidInputError.at("content", `has more than ${MAX_COLUMNS} columns`);
  return [...names];
}
