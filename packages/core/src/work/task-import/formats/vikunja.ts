import * as z from "zod";
import { InvalidInputError } from "../../../platform/errors.ts";
import {
  MAX_ENTRY_CHARACTERS,
  PLAIN_TASK,
  tooLong,
  toTime,
  type ImportedRef,
  type ImportedReminder,
  type ImportedTask,
  type ReadExport,
} from "./imported-task.ts";
import { htmlToLines } from "./html-to-lines.ts";
import { parseArray } from "./parse-array.ts";

/** Before version 0.21 projects, which were called lists once, were in namespaces. */
const project = z.object({
  title: z.string(),
  tasks: z.array(z.unknown()).nullish(),
  projects: z.array(z.unknown()).nullish(),
  lists: z.array(z.unknown()).nullish(),
});
type Project = z.infer<typeof project>;
const related = z.array(z.object({ id: z.number(), title: z.string() })).nullish();
const reminder = z.object({
  reminder: z.string().nullish(),
  /** In seconds, from what `relative_to` names. */
  relative_period: z.number().default(0),
  relative_to: z.string().default(""),
});
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
  repeat_after: z.number().default(0),
  /** 0: in the given time, 1: monthly, 2: in the given time from when it is done. */
  repeat_mode: z.number().default(0),
  reminders: z.array(reminder).nullish(),
  related_tasks: z.object({ parenttask: related, blocked: related, related }).nullish(),
  labels: z.array(z.object({ title: z.string() })).nullish(),
  attachments: z.array(z.object({ file: z.object({ name: z.string() }).nullish() })).nullish(),
  comments: z.array(z.object({ comment: z.string() })).nullish(),
});
type Exported = z.infer<typeof exported>;

const EXPECTED = "expected data.json of an export of Vikunja: a JSON array of projects with tasks";

/** The file `data.json` of an export of Vikunja. Texts are HTML there, and become plain paragraphs. */
export const readVikunja: ReadExport = async function* (content) {
  for (const data of projectsIn(parseArray(content, EXPECTED))) {
    for (const [index, one] of (data.tasks ?? []).entries()) {
      const place = `${data.title}, task ${index + 1}`;
      const task = exported.safeParse(one);
      if (!task.success) throw InvalidInputError.at("content", `${EXPECTED}; “${place}” is none`);
      if (lengthOf(task.data) > MAX_ENTRY_CHARACTERS) yield tooLong(place, task.data.title);
      else yield toTask(task.data, data.title, place);
    }
  }
};

/** The projects, and those in namespaces. */
function projectsIn(entries: readonly unknown[]): Project[] {
  return entries.map(toProject).flatMap((outer) => {
    const inner = [...(outer.projects ?? []), ...(outer.lists ?? [])];
    return [outer, ...inner.map(toProject)];
  });
}

function toProject(entry: unknown): Project {
  const { success, data } = project.safeParse(entry);
  if (!success) throw InvalidInputError.at("content", EXPECTED);
  return data;
}

function refsOf(tasks: z.infer<typeof related>): ImportedRef[] {
  return (tasks ?? []).map(({ id, title }) => ({ ref: String(id), title }));
}

function toTask(task: Exported, project: string, place: string): ImportedTask {
  const [parent] = task.related_tasks?.parenttask ?? [];
  const repeat = toRule(task);
  const isUnread = repeat === null && task.repeat_after > 0;
  const comments = (task.comments ?? []).map(({ comment }) => comment);
  return {
    ...PLAIN_TASK,
    // Ids are only unique within a server.
    key: `${task.id} ${task.created ?? ""}`,
    place,
    title: task.title.trim(),
    description: [
      ...[task.description, ...comments].flatMap(htmlToLines),
      ...(task.attachments ?? []).flatMap(({ file }) => (file?.name ? [`Attachment: ${file.name}`] : [])),
      ...(isUnread ? [`Repeats: after ${task.repeat_after} seconds`] : []),
    ],
    ref: String(task.id),
    parent: parent === undefined ? null : { ref: String(parent.id), title: parent.title },
    blockedBy: refsOf(task.related_tasks?.blocked),
    relatesTo: refsOf(task.related_tasks?.related),
    repeat,
    repeatFrom: task.repeat_mode === 2 ? "completion" : "due",
    reminders: (task.reminders ?? []).flatMap(toReminder),
    status: task.done ? "done" : task.percent_done > 0 ? "in_progress" : "todo",
    priority: task.priority >= 3 ? 3 : task.priority === 1 ? 1 : 2,
    project,
    dueDate: toTime(task.due_date)?.toISOString() ?? null,
    tags: (task.labels ?? []).map(({ title }) => title),
    createdAt: toTime(task.created),
    completedAt: task.done ? toTime(task.done_at) : null,
  };
}

const DAY_S = 24 * 60 * 60;

/** The rule of whole days or weeks, or of months; null if it does not repeat, or after hours. */
function toRule({ repeat_after: seconds, repeat_mode: mode }: Exported): string | null {
  if (mode === 1) return "FREQ=MONTHLY";
  if (seconds <= 0 || seconds % DAY_S !== 0) return null;
  const days = seconds / DAY_S;
  const [frequency, interval] = days % 7 === 0 ? ["WEEKLY", days / 7] : ["DAILY", days];
  return `FREQ=${frequency}${interval === 1 ? "" : `;INTERVAL=${interval}`}`;
}

/** Those relative to the beginning or the end of a task, which tasks here do not have, are at their times. */
function toReminder({
  reminder: time,
  relative_period: seconds,
  relative_to: to,
}: z.infer<typeof reminder>): ImportedReminder[] {
  if (to === "due_date" && seconds <= 0) return [{ minutesBefore: Math.round(-seconds / 60), at: null }];
  const at = toTime(time);
  return at === null ? [] : [{ minutesBefore: null, at }];
}

function lengthOf({ title, description, comments }: Exported): number {
  return (comments ?? []).reduce((sum, { comment }) => sum + comment.length, title.length + description.length);
}
