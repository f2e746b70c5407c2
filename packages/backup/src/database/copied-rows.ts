import type { ContentReader } from "../content-reader.ts";
import type { BackedUpTable } from "../manifest.ts";

const LINE_END = 0x0a;

/**
 * The rows of a backed-up table, in the text format of COPY, that have a value in one of the columns. The value must consist of
 * characters that are written as they are, such as those of ids.
 */
export async function findRows(
  { columns, segments }: BackedUpTable,
  { among, value, read }: { among: readonly string[]; value: string; read: ContentReader },
): Promise<Buffer[]> {
  const positions = among.map((column) => columns.indexOf(column)).filter((position) => position !== -1);
  const isWanted = (line: Buffer): boolean => {
    const fields = line.toString("utf8").split("\t");
    return positions.some((position) => fields[position] === value);
  };
  const found: Buffer[] = [];
  for (const { parts } of segments) {
    let rest = Buffer.alloc(0);
    for await (const piece of read(parts)) {
      const text = Buffer.concat([rest, piece]);
      const end = text.lastIndexOf(LINE_END) + 1;
      for (const line of linesWith(text.subarray(0, end), value)) if (isWanted(line)) found.push(Buffer.from(line));
      rest = text.subarray(end);
    }
  }
  return found;
}

/** The lines that contain a text anywhere, without their ends. */
function* linesWith(text: Buffer, value: string): Generator<Buffer> {
  for (let at = text.indexOf(value); at !== -1;) {
    const start = text.lastIndexOf(LINE_END, at) + 1;
    const end = text.indexOf(LINE_END, at);
    yield text.subarray(start, end);
    at = text.indexOf(value, end);
  }
}
