import * as z from "zod";
import { InvalidInputError } from "../../../platform/errors.ts";
import type { TaskStatus } from "../../tasks/task-status.ts";
import { PLAIN_TASK, type ImportEntry, type ImportedTask, type ReadExport } from "./imported-task.ts";
import { parseArray } from "./parse-array.ts";

const exported = z.object({
  uuid: z.string(),
  description: z.string(),
  status: z.string().default("pending"),
  project: z.string().optional(),
  tags: z.array(z.string()).default([]),
  priority: z.string().optional(),
  entry: z.string().optional(),
  start: z.string().optional(),
  end: z.string().optional(),
  due: z.string().optional(),
  annotations: z.array(z.object({ description: z.string() })).default([]),
});
type Exported = z.infer<typeof exported>;

const TIME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;
const PRIORITIES = new Map<string, ImportedTask["priority"]>([
  ["H", 3],
  ["M", 2],
  ["L", 1],
]);
const OMITTED = new Map<string, string>([
  ["deleted", "was deleted"],
  ["recurring", "is the pattern of a recurring task"],
]);

const EXPECTED = "expected what `task export` prints: a JSON array of tasks with uuid and description";

/** What `task export` of Taskwarrior prints. Deleted tasks and the patterns of recurring ones are left out. */
export const readTaskwarrior: ReadExport = async function* (content) {
  for (const [index, entry] of parseArray(content, EXPECTED).entries()) {
    const task = exported.safeParse(entry);
    if (!task.success) throw InvalidInputError.at("content", `${EXPECTED}; task ${index + 1} is none`);
    yield toEntry(task.data, `task ${index + 1}`);
  }
};

function toEntry(task: Exported, place: string): ImportEntry {
  const title = task.description.trim();
  const reason = OMITTED.get(task.status);
  if (reason !== undefined) return { place, title, reason };
  const due = toTime(task.due);
  return {
    ...PLAIN_TASK,
    key: task.uuid,
    place,
    title,
    description: task.annotations.map(({ description }) => description),
    status: toStatus(task),
    priority: PRIORITIES.get(task.priority ?? "") ?? 2,
    project: task.project ?? null,
    dueDate: due?.toISOString() ?? null,
    tags: task.tags,
    createdAt: toTime(task.entry),
    completedAt: task.status === "completed" ? toTime(task.end) : null,
  };
}

function toStatus({ status, start }: Exported): TaskStatus {
  if (status === "completed") return "done";
  return start === undefined ? "todo" : "in_progress";
}

/** Taskwarrior writes times without separators. */
function toTime(text: string | undefined): Date | null {
  const parts = TIME.exec(text ?? "")?.slice(1);
  if (parts === undefined) return null;
  const [year, month, day, hour, minute, second] = parts;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? null : time;
}
