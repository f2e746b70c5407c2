import { parseDueDate } from "../../tasks/due-date.ts";
import {
  createTextKeys,
  MAX_ENTRY_CHARACTERS,
  PLAIN_TASK,
  tooLong,
  type ImportedTask,
  type ReadExport,
} from "./imported-task.ts";
import { readCsv, type CsvRow } from "./read-csv.ts";

const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::\d{2})?)?$/;
/** Labels are words of the title. */
const LABEL = /(?:^|\s)@(\S+)/g;

/**
 * A project of Todoist as CSV (its template or backup). Sections and the task that a subtask belongs to become lines of the
 * description, as do comments; so does a date in words, such as "every Monday".
 */
export const readTodoist: ReadExport = async function* (content) {
  const keyOf = createTextKeys();
  /** The titles of the tasks that the next row may be a part of, by indent. */
  let parents: string[] = [];
  let section = "";
  let task = null as ImportedTask | null;
  for await (const row of readCsv(content, ["TYPE", "CONTENT", "PRIORITY", "INDENT"])) {
    const type = row.column("TYPE");
    if (row.column("CONTENT").length > MAX_ENTRY_CHARACTERS) {
      yield tooLong(`line ${row.line}`, row.column("CONTENT"));
      continue;
    }
    if (type === "note" && task !== null) {
      task = { ...task, description: [...task.description, row.column("CONTENT")] };
      continue;
    }
    if (type !== "task" && type !== "section") continue;
    if (task !== null) yield task;
    task = null;
    if (type === "section") {
      section = row.column("CONTENT").trim();
      parents = [];
      continue;
    }
    const depth = Math.max(1, Number(row.column("INDENT")) || 1);
    task = toTask(row, { section, parent: parents[depth - 2] ?? "", keyOf });
    parents = [...parents.slice(0, depth - 1), task.title];
  }
  if (task !== null) yield task;
};

interface Surroundings {
  readonly section: string;
  readonly parent: string;
  readonly keyOf: (...texts: readonly string[]) => string;
}

function toTask(row: CsvRow, { section, parent, keyOf }: Surroundings): ImportedTask {
  const text = row.column("CONTENT");
  const date = row.column("DATE").trim();
  const due = DATE_AND_TIME.exec(date);
  const isDate = due?.[1] !== undefined && parseDueDate(due[1]) !== null;
  const description = [
    row.column("DESCRIPTION"),
    section === "" ? "" : `Section: ${section}`,
    parent === "" ? "" : `Part of: ${parent}`,
    date === "" || isDate ? "" : `Date: ${date}`,
  ];
  return {
    ...PLAIN_TASK,
    key: keyOf(section, parent, text),
    place: `line ${row.line}`,
    title: text.replaceAll(LABEL, "").trim(),
    description: description.filter((line) => line !== ""),
    priority: toPriority(row.column("PRIORITY")),
    ...(isDate && { dueDate: due[1] ?? null, dueTime: due[2] ?? null }),
    tags: [...text.matchAll(LABEL)].map(([, label = ""]) => label),
  };
}

/** From 1, the highest, to 4, which a task has unless it is changed. */
function toPriority(text: string): ImportedTask["priority"] {
  return text === "1" || text === "2" ? 3 : 2;
}
