import * as z from "zod";
import { parseDueDate } from "../../tasks/due-date.ts";
import { readDueWords } from "./repeat-words.ts";
import {
  createTextKeys,
  MAX_ENTRY_CHARACTERS,
  PLAIN_TASK,
  tooLong,
  toTime,
  type ImportedTask,
  type ReadContext,
  type ReadExport,
} from "./imported-task.ts";
import { readCsv, type CsvRow } from "./read-csv.ts";

const DATE_AND_TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::\d{2})?)?$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]{5,12}(?:Z|[+-]\d{2}:?\d{2})$/;
/** Of what cannot be completed. */
const HEADING = /^\* /;
/** Labels are words of the title. */
const LABEL = /(?:^|\s)@(\S+)/g;

/**
 * A project of Todoist as CSV (its template or backup). Sections and comments become lines of the description; so does a date in words
 * that is not understood.
 */
export const readTodoist: ReadExport = async function* (content, context) {
  const keyOf = createTextKeys();
  /** The tasks that the next row may be a part of, by indent. */
  let parents: ImportedTask[] = [];
  let section = "";
  let task = null as ImportedTask | null;
  for await (const row of readCsv(content, ["TYPE", "CONTENT", "PRIORITY", "INDENT"])) {
    const type = row.column("TYPE");
    if (row.column("CONTENT").length > MAX_ENTRY_CHARACTERS) {
      yield tooLong(`line ${row.line}`, row.column("CONTENT"));
      continue;
    }
    if (type === "note" && task !== null) {
      task = { ...task, description: [...task.description, withLink(row.column("CONTENT"))] };
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
    task = toTask(row, { section, parent: parents[depth - 2], keyOf, context });
    parents = [...parents.slice(0, depth - 1), task];
  }
  if (task !== null) yield task;
};

const ATTACHED = "[[file ";
const attachment = z.object({ file_name: z.string(), file_url: z.url({ protocol: /^https?$/ }) });

/** A comment, with a link in place of how Todoist describes a file. */
function withLink(comment: string): string {
  const start = comment.indexOf(ATTACHED);
  const end = comment.indexOf("}]]", start);
  if (start === -1 || end === -1) return comment;
  const { success, data } = attachment.safeParse(parseJson(comment.slice(start + ATTACHED.length, end + 1)));
  if (!success) return comment;
  const name = data.file_name.replaceAll(/[[\]\\]/g, "\\$&");
  return `${comment.slice(0, start)}[${name}](<${data.file_url}>)${comment.slice(end + 3)}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Surroundings {
  readonly section: string;
  readonly parent: ImportedTask | undefined;
  readonly keyOf: (...texts: readonly string[]) => string;
  readonly context: ReadContext;
}

function toTask(row: CsvRow, { section, parent, keyOf, context }: Surroundings): ImportedTask {
  const text = row.column("CONTENT");
  const date = row.column("DATE").trim();
  const deadline = row.column("DEADLINE").trim();
  const readDeadline = dueOf(deadline, row.column("DEADLINE_LANG"), context);
  // A task that is not planned for a day is due at its deadline.
  const due = date === "" ? readDeadline : dueOf(date, row.column("DATE_LANG"), context);
  // "Bob (200)", with a number that only Todoist knows.
  const responsible = row.column("RESPONSIBLE").replace(/ \(\d+\)$/, "");
  const duration = row.column("DURATION");
  const isDuration = /^\d+$/.test(duration) && /^(?:minute|day)$/.test(row.column("DURATION_UNIT"));
  const description = [
    row.column("DESCRIPTION"),
    section === "" ? "" : `Section: ${section}`,
    date === "" || due !== null ? "" : `Date: ${date}`,
    deadline === "" || (date === "" && readDeadline !== null) ? "" : `Deadline: ${deadline}`,
    responsible === "" ? "" : `Responsible: ${responsible}`,
    isDuration ? `Duration: ${duration} ${row.column("DURATION_UNIT")}${duration === "1" ? "" : "s"}` : "",
  ];
  return {
    ...PLAIN_TASK,
    key: keyOf(section, parent?.title ?? "", text),
    place: `line ${row.line}`,
    title: text.replace(HEADING, "").replaceAll(LABEL, "").trim(),
    description: description.filter((line) => line !== ""),
    priority: toPriority(row.column("PRIORITY")),
    ...due,
    parent: parent === undefined ? null : { ref: parent.key, title: parent.title },
    tags: [...text.matchAll(LABEL)].map(([, label = ""]) => label),
  };
}

function dueOf(date: string, language: string, context: ReadContext): Partial<ImportedTask> | null {
  const [, day, time] = DATE_AND_TIME.exec(date) ?? [];
  if (day !== undefined && parseDueDate(day) !== null) return { dueDate: day, dueTime: time ?? null };
  if (INSTANT.test(date) && toTime(date) !== null) return { dueDate: toTime(date)?.toISOString() ?? null };
  // The language is known to be one of Todoist's; words of others are not understood.
  return date === "" ? null : readDueWords(date, language === "de" ? "de" : "en", context);
}

/** From 1, the highest, to 4, which a task has unless it is changed. */
function toPriority(text: string): ImportedTask["priority"] {
  return text === "1" || text === "2" ? 3 : 2;
}
