import { inTurns } from "../../../platform/in-slices.ts";
import { parseDueDate } from "../../tasks/due-date.ts";
import {
  createTextKeys,
  MAX_ENTRY_CHARACTERS,
  PLAIN_TASK,
  tooLong,
  toTime,
  type ImportedTask,
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

/**
 * The checkboxes of a Markdown text: `- [ ]` and `- [x]`, with `#tags` and the signs of Obsidian's Tasks plug-in. The heading above and
 * the item that contains a checkbox become lines of the description.
 */
export const readMarkdown: ReadExport = async function* (content) {
  const keyOf = createTextKeys();
  let heading = "";
  let fence = "";
  let parents: { readonly indent: number; readonly title: string }[] = [];
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
    const parent = parents.at(-1)?.title ?? "";
    const place = `line ${number}`;
    const task = toTask(text, { heading, parent, box, place, key: keyOf(heading, parent, text) });
    parents.push({ indent: indent.length, title: task.title });
    yield box === "-" ? { place, title: task.title, reason: "was cancelled" } : task;
  }
};

interface Surroundings {
  readonly heading: string;
  readonly parent: string;
  readonly box: string;
  readonly place: string;
  readonly key: string;
}

function toTask(text: string, { heading, parent, box, place, key }: Surroundings): ImportedTask {
  const dates = new Map([...text.matchAll(DATES)].map(([, sign = "", date = ""]) => [sign, date]));
  const [, priority = ""] = PRIORITY.exec(text) ?? [];
  const isDone = box === "x" || box === "X";
  const title = text
    .replaceAll(DATES, "")
    .replace(PRIORITY, "")
    .replaceAll(TAG, "")
    .replaceAll(/\s{2,}/g, " ")
    .trim();
  return {
    ...PLAIN_TASK,
    key,
    place,
    // A checkbox that only has tags is called by them.
    title: title === "" ? text.trim() : title,
    description: [heading === "" ? "" : `Section: ${heading}`, parent === "" ? "" : `Part of: ${parent}`].filter(
      (line) => line !== "",
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
