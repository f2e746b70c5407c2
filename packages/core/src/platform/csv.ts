import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { InvalidInputError } from "./errors.ts";
import { inTurns } from "./in-slices.ts";
import { splitText } from "./text-pieces.ts";

/** Of rows of one letter, parsing this many characters takes 20 to 30 ms. */
const PIECE_CHARACTERS = 1024;
const MAX_RECORD_CHARACTERS = 300_000;

export interface CsvRecord {
  readonly cells: readonly string[];
  /** The line of the text on which the record ends, from 1. */
  readonly line: number;
}

/**
 * The records of a table in CSV, its header first, read so that other work gets its turn. Empty lines are left out. Throws
 * {@link InvalidInputError} at `field` of the input if the text is no CSV.
 */
export async function* readCsvRecords(text: string, field: string): AsyncGenerator<CsvRecord> {
  const parser = Readable.from(inTurns(splitText(text, PIECE_CHARACTERS))).pipe(
    parse({
      bom: true,
      info: true,
      maxRecordSize: MAX_RECORD_CHARACTERS,
      relaxColumnCount: true,
      skipEmptyLines: true,
    }),
  );
  try {
    // The types of the library do not follow its options.
    const records = parser as AsyncIterable<{ record: string[]; info: { lines: number } }>;
    for await (const { record, info } of inTurns(records)) yield { cells: record, line: info.lines };
  } catch (error) {
    if (error instanceof CsvError) throw InvalidInputError.at(field, `is no valid CSV: ${error.message}`);
    throw error;
  }
}
