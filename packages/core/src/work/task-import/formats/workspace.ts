import { InvalidInputError } from "../../../platform/errors.ts";
import { inTurns } from "../../../platform/in-slices.ts";
import { exportedTaskSchema, type ExportedTask } from "../../task-export/exported-task.schema.ts";
import { MAX_CHECKLIST, MAX_ITEM_LENGTH } from "../../tasks/checklist.ts";
import { PLAIN_TASK, toTime, type ImportedTask, type ReadExport } from "./imported-task.ts";
import { parseArray } from "./parse-array.ts";

const EXPECTED = "expected tasks.json of an export of a workspace: a JSON array of tasks";

/** The file `tasks.json` of an export of this or another workspace. Tasks keep their ids; comments become lines of the description. */
export const readWorkspace: ReadExport = async function* (content) {
  const tasks: ExportedTask[] = [];
  for await (const entry of inTurns(itemsOf(content))) {
    const task = exportedTaskSchema.safeParse(entry);
    if (!task.success) throw InvalidInputError.at("content", `${EXPECTED}; task ${tasks.length + 1} is none`);
    tasks.push(task.data);
  }
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const refTo = (id: string) => ({ ref: id, title: titles.get(id) ?? id });
  const inOrder = tasks.toSorted((one, other) => compareText(one.position, other.position));
  for (const [index, task] of inOrder.entries()) {
    const { parentId, blockedBy, relatesTo } = task;
    yield {
      ...PLAIN_TASK,
      ...toOwnValues(task),
      place: `task ${index + 1}`,
      parent: parentId === null ? null : refTo(parentId),
      // What has been deleted since is not in the export.
      blockedBy: blockedBy.filter((id) => titles.has(id)).map(refTo),
      relatesTo: relatesTo.filter((id) => titles.has(id)).map(refTo),
    };
  }
};

/**
 * The items of a JSON array. An export has one in each line, which are parsed one by one, so that a large file is never in memory as
 * parsed a second time. From a line on that is none, and if there are no lines, the array is parsed as a whole.
 */
function* itemsOf(content: string): Generator {
  const BEGIN = "[\n";
  let count = 0;
  for (let from = content.startsWith(BEGIN) ? BEGIN.length : content.length; from < content.length;) {
    const end = content.indexOf("\n", from);
    const line = content.slice(from, end === -1 ? content.length : end);
    const isLast = !line.endsWith(",") && content.slice(end).trim() === "]";
    const item = line.endsWith(",") || isLast ? parseLine(isLast ? line : line.slice(0, -1)) : undefined;
    if (item === undefined) break;
    yield item;
    count += 1;
    if (isLast) return;
    from = end + 1;
  }
  yield* parseArray(content, EXPECTED).slice(count);
}

/** Undefined for what is no JSON. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function toOwnValues(task: ExportedTask) {
  const { id, title, description, comments, checklist, reminders, createdAt, completedAt, snoozedUntil } = task;
  const { status, priority, project, dueDate, dueTime, repeat, repeatFrom, repeatTimezone, tags, notes } = task;
  return {
    key: id,
    title,
    description: [...(description === null ? [] : [description]), ...comments.map(toLine)],
    checklist: checklist
      .slice(0, MAX_CHECKLIST)
      .map(({ text, isDone }) => ({ text: text.slice(0, MAX_ITEM_LENGTH), isDone })),
    reminders: reminders.flatMap(toReminder),
    createdAt: toTime(createdAt),
    completedAt: toTime(completedAt),
    snoozedUntil: toTime(snoozedUntil),
    status,
    priority,
    project,
    dueDate,
    dueTime,
    repeat,
    repeatFrom,
    repeatTimezone,
    tags,
    notes,
  };
}

function toLine({ author, text, createdAt }: ExportedTask["comments"][number]): string {
  return `${author}, ${createdAt.slice(0, 10)}: ${text}`;
}

function toReminder({ minutesBefore, at }: ExportedTask["reminders"][number]): ImportedTask["reminders"][number][] {
  if (minutesBefore !== null) return [{ minutesBefore, at: null }];
  const time = toTime(at);
  return time === null ? [] : [{ minutesBefore: null, at: time }];
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
