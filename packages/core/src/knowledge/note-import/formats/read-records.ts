import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { InvalidInputError } from "../../../platform/errors.ts";
import { inTurns } from "../../../platform/in-slices.ts";
import { splitText } from "../../../platform/text-pieces.ts";

/** Of rows of one letter, parsing this many characters takes 20 to 30 ms. */
const PIECE_CHARACTERS = 1024;
const MAX_RECORD_CHARACTERS = 300_000;

/** The rows of a table, the names of its columns first. Throws {@link InvalidInputError} for what is none. */
export async function* readRecords(csv: string): AsyncGenerator<readonly string[]> {
  const parser = Readable.from(splitText(csv, PIECE_CHARACTERS)).pipe(
    parse({ bom: true, maxRecordSize: MAX_RECORD_CHARACTERS, relaxColumnCount: true, skipEmptyLines: true }),
  );
  try {
    for await (const record of inTurns(parser as AsyncIterable<string[]>)) yield record;
  } catch (error) {
    if (error instanceof CsvError) throw InvalidInputError.at("file", `contains no valid CSV: ${error.message}`);
    throw error;
  }
}
