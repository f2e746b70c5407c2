import { parseDueDate } from "../../tasks/due-date.ts";
import type { TaskStatus } from "../../tasks/task-status.ts";
import { PLAIN_TASK, toTime, type ImportedRef, type ImportedTask, type ReadExport } from "./imported-task.ts";
import { readCsv } from "./read-csv.ts";

const PRIORITIES = new Map<string, ImportedTask["priority"]>([
  ["Urgent", 3],
  ["High", 3],
  ["Medium", 2],
  ["Low", 1],
]);

const COLUMNS = ["ID", "Title", "Status"];

/** The issues of a workspace or team of Linear as CSV. Cancelled, duplicate and deleted issues are left out. */
export const readLinear: ReadExport = async function* (content) {
  const titles = new Map<string, string>();
  for await (const row of readCsv(content, COLUMNS)) titles.set(row.column("ID"), row.column("Title").trim());
  for await (const row of readCsv(content, COLUMNS)) {
    const id = row.column("ID");
    const title = row.column("Title").trim();
    const place = id === "" ? `line ${row.line}` : id;
    if (row.column("Canceled") !== "") {
      yield { place, title, reason: "was cancelled" };
      continue;
    }
    const original = row.column("Duplicate of");
    if (original !== "") {
      yield { place, title, reason: `is a duplicate of ${original}` };
      continue;
    }
    const completedAt = toTime(row.column("Completed"));
    // Linear archives what is deleted, and after a while what is finished.
    if (row.column("Archived") !== "" && completedAt === null) {
      yield { place, title, reason: "was archived" };
      continue;
    }
    const parent = row.column("Parent issue");
    yield {
      ...PLAIN_TASK,
      key: row.column("UUID") === "" ? id : row.column("UUID"),
      place,
      title,
      description: [
        row.column("Description"),
        ...["Assignee", "Estimate"].map((name) => (row.column(name) === "" ? "" : `${name}: ${row.column(name)}`)),
      ].filter((line) => line !== ""),
      ref: id,
      blockedBy: issuesIn(row.column("Blocked by"), titles),
      relatesTo: issuesIn(row.column("Related to"), titles),
      parent: parent === "" ? null : { ref: parent, title: parent },
      status: toStatus(row.column("Status"), {
        isStarted: row.column("Started") !== "",
        isCompleted: completedAt !== null,
      }),
      priority: PRIORITIES.get(row.column("Priority")) ?? 2,
      project: row.column("Project") === "" ? null : row.column("Project"),
      dueDate: toDueDate(row.column("Due Date")),
      tags: row.column("Labels").split(","),
      createdAt: toTime(row.column("Created")),
      completedAt,
    };
  }
};

function issuesIn(ids: string, titles: ReadonlyMap<string, string>): ImportedRef[] {
  const refs = ids.split(",").map((id) => id.trim());
  return refs.filter((ref) => ref !== "").map((ref) => ({ ref, title: titles.get(ref) ?? ref }));
}

const HOUR_MS = 60 * 60 * 1000;

/** A date, or the midnight before it where the export was made, as "Fri Dec 25 2026 23:00:00 GMT+0000". */
function toDueDate(text: string): string | null {
  const date = parseDueDate(text.slice(0, 10));
  const midnight = date === null ? toTime(text) : null;
  return midnight === null ? date : new Date(midnight.getTime() + 12 * HOUR_MS).toISOString().slice(0, 10);
}

/** Teams name their statuses, but the times say which kind they are of. */
function toStatus(name: string, { isStarted, isCompleted }: { isStarted: boolean; isCompleted: boolean }): TaskStatus {
  if (isCompleted || /^(?:done|completed)$/i.test(name)) return "done";
  if (/^blocked$/i.test(name)) return "blocked";
  return isStarted || /^in (?:progress|review)$/i.test(name) ? "in_progress" : "todo";
}
