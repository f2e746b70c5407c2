/** The cells of a line as they are written, with the spaces around them. */
type Cells = readonly string[];

/** The source of a table, line by line. */
export interface TableSource {
  /** The header first, then the rows. */
  readonly rows: readonly Cells[];
  /** The line of dashes after the header, which has a cell for each column and its alignment. */
  readonly dashes: Cells;
}

const DASHES = " --- ";

export function readTable(source: string): TableSource {
  const [header = "", dashes = "", ...lines] = source.split("\n");
  const columns = cellsOf(header).length;
  const rows = [header, ...lines].map((line) => {
    const cells = cellsOf(line);
    if (cells.length > columns) cells.length = columns;
    while (cells.length < columns) cells.push("  ");
    return cells;
  });
  return { rows, dashes: cellsOf(dashes).slice(0, columns) };
}

export function writeTable({ rows, dashes }: TableSource): string {
  const [header = [], ...others] = rows;
  return [header, dashes, ...others].map((cells) => `|${cells.join("|")}|`).join("\n");
}

/** What is written in a cell, as it is edited: without escapes of bars. */
export function cellText({ rows }: TableSource, row: number, column: number): string {
  return (rows[row]?.[column] ?? "").trim().replaceAll("\\|", "|");
}

/** The table with other words in a cell. A line break becomes a tag, since a row is a line. */
export function withCell(table: TableSource, row: number, column: number, text: string): TableSource {
  const written = text
    .trim()
    .replaceAll(/\r?\n/g, "<br>")
    // A bar after a backslash cannot be escaped by another one.
    .replaceAll(/(?<=\\)\|/g, "&#124;")
    .replaceAll("|", "\\|");
  return replaceRow(table, row, (cells) =>
    // What is as wide as before keeps columns in line that were written so.
    cells.map((cell, index) => (index === column ? ` ${written} `.padEnd(cell.length) : cell)),
  );
}

/** The table with an empty row before the row at an index; never above the header. */
export function withRow({ rows, dashes }: TableSource, index: number): TableSource {
  const at = Math.max(index, 1);
  return { rows: [...rows.slice(0, at), dashes.map(() => "  "), ...rows.slice(at)], dashes };
}

/** The header stays, even if it is empty. */
export function withoutRow({ rows, dashes }: TableSource, index: number): TableSource {
  return { rows: index === 0 ? rows : rows.filter((_, row) => row !== index), dashes };
}

export function withColumn({ rows, dashes }: TableSource, index: number): TableSource {
  return {
    rows: rows.map((cells) => [...cells.slice(0, index), "  ", ...cells.slice(index)]),
    dashes: [...dashes.slice(0, index), DASHES, ...dashes.slice(index)],
  };
}

/** The last column stays. */
export function withoutColumn(table: TableSource, index: number): TableSource {
  const { rows, dashes } = table;
  if (dashes.length === 1) return table;
  return {
    rows: rows.map((cells) => cells.filter((_, column) => column !== index)),
    dashes: dashes.filter((_, column) => column !== index),
  };
}

/** A column aligned differently: to the left, in the centre, to the right, and not at all, in turn. */
export function withNextAlignment({ rows, dashes }: TableSource, column: number): TableSource {
  return { rows, dashes: dashes.map((old, index) => (index === column ? nextDashes(old) : old)) };
}

function replaceRow({ rows, dashes }: TableSource, index: number, change: (cells: Cells) => Cells): TableSource {
  return { rows: rows.map((cells, row) => (row === index ? change(cells) : cells)), dashes };
}

/** The cells of a line, at bars that are not escaped. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  const trimmed = line.trim();
  let [start, isEscaped] = [trimmed.startsWith("|") ? 1 : 0, false];
  for (let at = start; at < trimmed.length; at += 1) {
    const character = trimmed[at];
    if (character === "|" && !isEscaped) {
      cells.push(trimmed.slice(start, at));
      start = at + 1;
    }
    isEscaped = character === "\\" && !isEscaped;
  }
  if (start < trimmed.length) cells.push(trimmed.slice(start));
  return cells;
}

function nextDashes(dashes: string): string {
  const line = dashes.trim();
  const [isLeft, isRight] = [line.startsWith(":"), line.endsWith(":")];
  const plain = line.replaceAll(":", "-");
  if (!isLeft && !isRight) return dashes.replace(line, `:${plain.slice(1)}`);
  if (!isRight) return dashes.replace(line, `:${plain.slice(2)}:`);
  return dashes.replace(line, isLeft ? `${plain.slice(1)}:` : plain);
}
