import { stringify } from "yaml";
import { readCsvRecords } from "../../../platform/csv.ts";
import { InvalidInputError } from "../../../platform/errors.ts";
import { inSlices } from "../../../platform/in-slices.ts";
import { MAX_BLOCK_CHARACTERS } from "../../markdown/frontmatter-size.ts";
import { encodePath } from "./notion-text.ts";

const MAX_ROWS = 5_000;
const MAX_COLUMNS = 60;
const MAX_CELL_CHARACTERS = 2_000;
const LISTS: ReadonlySet<string> = new Set(["tags", "tag", "labels", "categories"]);
const MONTHS = "january february march april may june july august september october november december".split(" ");
const TIME_PARTS = /^([A-Za-z]+) (\d{1,2}), (\d{4})(?: (\d{1,2}):(\d{2}) (AM|PM))?$/;
const MAX_PROPERTY_LINES = 100;

/** The columns of a table; null if the text is no table, or one that is too wide. */
export async function columnsOf(csv: string): Promise<readonly string[] | null> {
  try {
    for await (const { cells } of readCsvRecords(csv, "file")) {
      return cells.length > MAX_COLUMNS ? null : cells.map((name) => name.trim());
    }
    return null;
  } catch (error) {
    if (error instanceof InvalidInputError) return null;
    throw error;
  }
}

/** A table as a note. Titles link to the pages of their rows, given by title. */
export async function toTable(csv: string, title: string, pages: ReadonlyMap<string, string>): Promise<string> {
  const rows: (readonly string[])[] = [];
  let isCut = false;
  for await (const { cells } of readCsvRecords(csv, "file")) {
    isCut = rows.length > MAX_ROWS;
    if (isCut) break;
    rows.push(cells);
  }
  const [header = [], ...records] = rows;
  const lines = [toRow(header), `|${" --- |".repeat(header.length)}`];
  await inSlices(records, ([name = "", ...cells]) => {
    const page = pages.get(name.trim().replaceAll(/[/\\:]/g, " ")) ?? pages.get(name.trim());
    const label = toCell(name);
    const first =
      page === undefined || label === "" ? label : `[${label.replaceAll(/[[\]]/g, "\\$&")}](${encodePath(page)})`;
    lines.push(`| ${[first, ...cells.map(toCell)].slice(0, header.length).join(" | ")} |`);
  });
  const cut = isCut ? `\nThe table had more than ${MAX_ROWS.toLocaleString("en")} rows.\n` : "";
  return `# ${title}\n\n${lines.join("\n")}\n${cut}`;
}

/** Moves the properties of a page, which follow its title as lines, into frontmatter. */
export function withProperties(text: string, columns: readonly string[]): string {
  const lines = text.replace(/^\uFEFF/, "").split("\n", MAX_PROPERTY_LINES + 3);
  const start = lines[1]?.trim() === "" ? 2 : 1;
  const known = new Set(columns);
  const properties: Record<string, unknown> = {};
  let end = start;
  for (; end < lines.length && end < start + MAX_PROPERTY_LINES; end += 1) {
    const line = lines[end] ?? "";
    const colon = line.indexOf(": ");
    const name = colon < 0 ? "" : line.slice(0, colon);
    if (!known.has(name)) break;
    properties[name] = toProperty(name, line.slice(colon + 2).trim());
  }
  if (end === start || !lines[0]?.startsWith("# ")) return text;
  // Longer frontmatter is not read.
  if (lines.slice(start, end).join("\n").length > MAX_BLOCK_CHARACTERS) return text;
  const rest = text.replace(/^\uFEFF/, "").slice(lines.slice(0, end).join("\n").length);
  const body = rest.replace(/^\n+/, "");
  return `---\n${stringify(properties)}---\n${lines[0]}\n${body === "" ? "" : `\n${body}`}`;
}

function toProperty(name: string, value: string): unknown {
  if (LISTS.has(name.toLowerCase()))
    return value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  if (/^-?\d{1,15}(?:\.\d{1,10})?$/.test(value)) return Number(value);
  if (value === "Yes" || value === "No") return value === "Yes";
  return toDate(value) ?? value;
}

/** `March 1, 2026 3:04 PM` as ISO 8601. */
function toDate(value: string): string | null {
  const [, monthName = "", day = "", year, hour, minute, half] = TIME_PARTS.exec(value) ?? [];
  const month = MONTHS.indexOf(monthName.toLowerCase()) + 1;
  if (year === undefined || month === 0) return null;
  const date = `${year}-${String(month).padStart(2, "0")}-${day.padStart(2, "0")}`;
  if (hour === undefined || minute === undefined) return date;
  return `${date}T${String((Number(hour) % 12) + (half === "PM" ? 12 : 0)).padStart(2, "0")}:${minute}`;
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.map(toCell).join(" | ")} |`;
}

function toCell(value: string): string {
  const text = value.length > MAX_CELL_CHARACTERS ? `${value.slice(0, MAX_CELL_CHARACTERS).toWellFormed()}…` : value;
  return text.trim().replaceAll("|", "\\|").replaceAll(/\r?\n/g, "<br>");
}
