import * as z from "zod";
import { InvalidInputError } from "../../../platform/errors.ts";
import {
  MAX_ENTRY_CHARACTERS,
  PLAIN_TASK,
  tooLong,
  toTime,
  type ImportedTask,
  type ReadExport,
} from "./imported-task.ts";
import { htmlToLines } from "./html-to-lines.ts";
import { parseArray } from "./parse-array.ts";

const project = z.object({ title: z.string(), tasks: z.array(z.unknown()).nullish() });
const exported = z.object({
  id: z.number(),
  title: z.string(),
  description: z.string().default(""),
  done: z.boolean().default(false),
  done_at: z.string().nullish(),
  due_date: z.string().nullish(),
  created: z.string().nullish(),
  priority: z.number().default(0),
  percent_done: z.number().default(0),
  labels: z.array(z.object({ title: z.string() })).nullish(),
  comments: z.array(z.object({ comment: z.string() })).nullish(),
});
type Exported = z.infer<typeof exported>;

const EXPECTED = "expected data.json of an export of Vikunja: a JSON array of projects with tasks";

/** The file `data.json` of an export of Vikunja. Texts are HTML there, and become plain paragraphs. */
export const readVikunja: ReadExport = async function* (content) {
  for (const entry of parseArray(content, EXPECTED)) {
    const { success, data } = project.safeParse(entry);
    if (!success) throw InvalidInputError.at("content", EXPECTED);
    for (const [index, one] of (data.tasks ?? []).entries()) {
      const place = `${data.title}, task ${index + 1}`;
      const task = exported.safeParse(one);
      if (!task.success) throw InvalidInputError.at("content", `${EXPECTED}; “${place}” is none`);
      if (lengthOf(task.data) > MAX_ENTRY_CHARACTERS) yield tooLong(place, task.data.title);
      else yield toTask(task.data, data.title, place);
    }
  }
};

function toTask(task: Exported, project: string, place: string): ImportedTask {
  const comments = (task.comments ?? []).map(({ comment }) => comment);
  return {
    ...PLAIN_TASK,
    // Ids are only unique within a server.
    key: `${task.id} ${task.created ?? ""}`,
    place,
    title: task.title.trim(),
    description: [task.description, ...comments].flatMap(htmlToLines),
    status: task.done ? "done" : task.percent_done > 0 ? "in_progress" : "todo",
    priority: task.priority >= 3 ? 3 : task.priority === 1 ? 1 : 2,
    project,
    dueDate: toTime(task.due_date)?.toISOString() ?? null,
    tags: (task.labels ?? []).map(({ title }) => title),
    createdAt: toTime(task.created),
    completedAt: task.done ? toTime(task.done_at) : null,
  };
}

function lengthOf({ title, description, comments }: Exported): number {
  return (comments ?? []).reduce((sum, { comment }) => sum + comment.length, title.length + description.length);
}
