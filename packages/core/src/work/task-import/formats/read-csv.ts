import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { InvalidInputError } from "../../../platform/errors.ts";
import { splitText } from "../../../platform/text-pieces.ts";

/** Parsing this many characters takes about a millisecond. */
const PIECE_CHARACTERS = 16 * 1024;

/** A row by the names of its columns, and the line on which it ends. */
export interface CsvRow {
  readonly line: number;
  /** The text of a column; empty if the row or the file does not have it. */
  column(name: string): string;
}

/** The rows of a table with a header. Throws InvalidInputError if it is no such table or lacks a column. */
export async function* readCsv(content: string, required: readonly string[]): AsyncGenerator<CsvRow> {
  const parser = Readable.from(splitText(content, PIECE_CHARACTERS)).pipe(
    parse({ bom: true, columns: true, info: true, relaxColumnCount: true, skipEmptyLines: true }),
  );
  let isChecked = false;
  try {
    // The types of the library do not follow its options.
    for await (const row of parser as AsyncIterable<{ record: Record<string, string>; info: { lines: number } }>) {
      if (!isChecked) assertColumns(row.record, required);
      isChecked = true;
      yield { line: row.info.lines, column: (name) => row.record[name] ?? "" };
    }
  } catch (error) {
    if (error instanceof CsvError) throw InvalidInputError.at("content", `is no valid CSV: ${error.message}`);
    throw error;
  }
}

function assertColumns(record: Readonly<Record<string, string>>, required: readonly string[]): void {
  const missing = required.filter((name) => !(name in record));
  if (missing.length === 0) return;
  throw InvalidInputError.at(
    "content",
    `expected a table with the columns ${required.join(", ")}; there is no ${missing.join(", no ")}`,
  );
}
