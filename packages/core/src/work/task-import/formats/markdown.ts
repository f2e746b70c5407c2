import { inTurns } from "../../../platform/in-slices.ts";
import { instantIn } from "../../../platform/time-zone.ts";
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

const CHECKBOX = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+\[([ xX/-])\]\s+(\S.*)$/;
const HEADING = /^#{1,6}\s+(\S.*)$/;
const FENCE = /^\s*(```|~~~)/;
const TAG = /(?:^|\s)#([\p{L}_][\p{L}\p{N}_/-]*)/gu;
/** The signs of Obsidian's Tasks plug-in for dates, each followed by its date. */
const DATES = /(📅|✅|➕) ?(\d{4}-\d{2}-\d{2})/gu;
const PRIORITY = /(🔺|⏫|🔼|🔽|⏬)\uFE0F?/u;
const PRIORITIES = new Map<string, ImportedTask["priority"]>([
  ["🔺", 3],
  ["⏫", 3],
  ["🔼", 2],
  ["🔽", 1],
  ["⏬", 1],
]);

/** How often a task repeats, up to the next sign. */
const REPEAT = /🔁 ?([\p{L}\p{N} ,!]+)/u;
/** A reminder of Obsidian's Reminder plug-in. */
const REMINDERS = /⏰ ?(\d{4}-\d{2}-\d{2})(?: ((?:[01]\d|2[0-3]):[0-5]\d))?/gu;
const REMINDER_TIME = "09:00";

/**
 * The checkboxes of a Markdown text: `- [ ]` and `- [x]`, with `#tags` and the signs of Obsidian's Tasks and Reminder plug-ins. One that
 * is in the item of another is a part of it. The heading above becomes a line of the description.
 */
export const readMarkdown: ReadExport = async function* (content, context) {
  const keyOf = createTextKeys();
  let heading = "";
  let fence = "";
  let parents: { readonly indent: number; readonly keyTitle: string; readonly task: ImportedTask }[] = [];
  let number = 0;
  for await (const line of inTurns(linesOf(content))) {
    number += 1;
    if (line.length > MAX_ENTRY_CHARACTERS) {
      yield tooLong(`line ${number}`, line);
      continue;
    }
    const [, mark = ""] = FENCE.exec(line) ?? [];
    if (mark !== "" && (fence === "" || mark === fence)) fence = fence === "" ? mark : "";
    if (fence !== "" || mark !== "") continue;
    const [, newHeading] = HEADING.exec(line) ?? [];
    if (newHeading !== undefined) {
      heading = newHeading.trim();
      parents = [];
    }
    const [, indent, box = "", text = ""] = CHECKBOX.exec(line) ?? [];
    if (indent === undefined) continue;
    parents = parents.filter((parent) => parent.indent < indent.length);
    const parent = parents.at(-1);
    const place = `line ${number}`;
    const key = keyOf(heading, parent?.keyTitle ?? "", text);
    const task = toTask(text, { heading, parent: parent?.task, box, place, key, context });
    // A task without words is no part of anything.
    parents.push({ indent: indent.length, keyTitle: withoutSigns(text), task });
    yield box === "-" ? { place, title: task.title, reason: "was cancelled" } : task;
  }
};

interface Surroundings {
  readonly heading: string;
  readonly parent: ImportedTask | undefined;
  readonly box: string;
  readonly place: string;
  readonly key: string;
  readonly context: ReadContext;
}

/** The title, by which subtasks have been told apart since before repetitions were read. */
function withoutSigns(text: string): string {
  const title = text
    .replaceAll(DATES, "")
    .replace(PRIORITY, "")
    .replaceAll(TAG, "")
    .replaceAll(/\s{2,}/g, " ")
    .trim();
  // A checkbox that only has tags is called by them.
  return title === "" ? text.trim() : title;
}

function toTask(text: string, { heading, parent, box, place, key, context }: Surroundings): ImportedTask {
  const dates = new Map([...text.matchAll(DATES)].map(([, sign = "", date = ""]) => [sign, date]));
  const [, priority = ""] = PRIORITY.exec(text) ?? [];
  const isDone = box === "x" || box === "X";
  const [repeatText = "", words = ""] = REPEAT.exec(text) ?? [];
  const repeated = words === "" ? null : readDueWords(words.trim(), "en", context);
  const isRepeated = repeated?.repeat !== undefined && repeated.repeat !== null;
  return {
    ...PLAIN_TASK,
    key,
    place,
    title: withoutSigns((isRepeated ? text.replace(repeatText, " ") : text).replaceAll(REMINDERS, " ")),
    description: heading === "" ? [] : [`Section: ${heading}`],
    parent: parent === undefined ? null : { ref: parent.key, title: parent.title },
    ...(isRepeated && { repeat: repeated.repeat, repeatFrom: repeated.repeatFrom, dueTime: repeated.dueTime }),
    reminders: [...text.matchAll(REMINDERS)].flatMap(([, date = "", time = REMINDER_TIME]) =>
      parseDueDate(date) === null ? [] : [{ minutesBefore: null, at: instantIn(context.timeZone, { date, time }) }],
    ),
    status: isDone ? "done" : box === "/" ? "in_progress" : "todo",
    priority: PRIORITIES.get(priority) ?? 2,
    dueDate: parseDueDate(dates.get("📅") ?? ""),
    tags: [...text.matchAll(TAG)].map(([, tag = ""]) => tag),
    createdAt: toTime(dates.get("➕")),
    completedAt: isDone ? toTime(dates.get("✅")) : null,
  };
}

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length;) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak === -1 ? text.length : lineBreak;
    yield text.slice(start, text[end - 1] === "\r" ? end - 1 : end);
    start = end + 1;
  }
}
