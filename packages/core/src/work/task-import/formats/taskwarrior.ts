import * as z from "zod";
import { InvalidInputError } from "../../../platform/errors.ts";
import { inTurns } from "../../../platform/in-slices.ts";
import { nextDate } from "../../recurrence/next-date.ts";
import { withDate } from "../../recurrence/repeated-due.ts";
import { parseRepeatRule } from "../../recurrence/repeat-rule.ts";
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
  recur: z.string().optional(),
  until: z.string().optional(),
  wait: z.string().optional(),
  scheduled: z.string().optional(),
  /** A list in Taskwarrior 2.6 and later, before that a text with commas. */
  depends: z.union([z.array(z.string()), z.string().transform((text) => text.split(","))]).default([]),
  /** The pattern that it was made from. */
  parent: z.string().optional(),
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
  ["recurring", "is the pattern of a recurring task, which goes on with the open one"],
]);

const EXPECTED = "expected what `task export` prints: a JSON array of tasks with uuid and description";

/**
 * What `task export` of Taskwarrior prints. Deleted tasks and the patterns of recurring ones are left out: of the open tasks that were
 * made from a pattern, the last one goes on repeating; a pattern without one goes on itself.
 */
export const readTaskwarrior: ReadExport = async function* (content, { timeZone }) {
  const tasks: Exported[] = [];
  for await (const entry of inTurns(parseArray(content, EXPECTED))) {
    const task = exported.safeParse(entry);
    if (!task.success) throw InvalidInputError.at("content", `${EXPECTED}; task ${tasks.length + 1} is none`);
    tasks.push(task.data);
  }
  const last = lastOfPatterns(tasks);
  const goesOn = new Set([...last].map(({ parent, uuid }) => parent ?? uuid));
  const titles = new Map(tasks.map(({ uuid, description }) => [uuid, description.trim()]));
  const zone = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  for (const [index, task] of tasks.entries()) {
    const place = `task ${index + 1}`;
    const isAlone = task.status === "recurring" && !goesOn.has(task.uuid);
    const entry = toEntry(isAlone ? { ...task, status: "pending" } : task, {
      place,
      isLast: isAlone || last.has(task),
      titles,
      zone,
    });
    yield isAlone && !("reason" in entry) ? nextOf(entry, { uuid: task.uuid, tasks, zone, timeZone }) : entry;
  }
};

/** The open task that is due last of each pattern, and those that recur without one. */
function lastOfPatterns(tasks: readonly Exported[]): ReadonlySet<Exported> {
  const last = new Map<string, Exported>();
  for (const task of tasks) {
    const { status, recur, parent = task.uuid, due = "" } = task;
    if (recur === undefined || status === "completed" || OMITTED.has(status)) continue;
    const other = last.get(parent);
    if (other === undefined || due > (other.due ?? "")) last.set(parent, task);
  }
  return new Set(last.values());
}

/** The task that a pattern would make next, after those that are there, none of which is open. */
function nextOf(
  pattern: ImportedTask,
  {
    uuid,
    tasks,
    zone,
    timeZone,
  }: { uuid: string; tasks: readonly Exported[]; zone: Intl.DateTimeFormat; timeZone: string },
): ImportEntry {
  const dayOf = (due: Date) => zone.format(due).slice(0, 10);
  const after = tasks
    .flatMap(({ parent, due }) => (parent === uuid ? (toTime(due) ?? []) : []))
    .map(dayOf)
    .toSorted()
    .at(-1);
  const { place, title, repeat, dueDate } = pattern;
  if (after === undefined || repeat === null || dueDate === null) return pattern;
  const from = dueDate.includes("T") ? dayOf(new Date(dueDate)) : dueDate;
  const next = nextDate(parseRepeatRule(repeat), { from, after });
  if (next === null) return { place, title, reason: "is the pattern of a recurring task, which has ended" };
  return { ...pattern, dueDate: withDate(timeZone, dueDate, next.date) };
}

interface Surroundings {
  readonly place: string;
  /** Whether it is the one of its pattern that goes on repeating. */
  readonly isLast: boolean;
  /** The titles of the tasks in the export. */
  readonly titles: ReadonlyMap<string, string>;
  /** Writes local times as `2026-12-24 00:00:00`. */
  readonly zone: Intl.DateTimeFormat;
}

function toEntry(task: Exported, { place, isLast, titles, zone }: Surroundings): ImportEntry {
  const title = task.description.trim();
  const reason = OMITTED.get(task.status);
  if (reason !== undefined) return { place, title, reason };
  const due = toTime(task.due);
  const rule = isLast ? toRule(task) : null;
  const isUnread = isLast && rule === null;
  return {
    ...PLAIN_TASK,
    key: task.uuid,
    place,
    title,
    description: [
      ...task.annotations.map(({ description }) => description),
      ...(isUnread ? [`Recurs: ${task.recur ?? ""}`] : []),
      ...timeLine("Waits until", task.wait),
      ...timeLine("Scheduled", task.scheduled),
    ],
    blockedBy: task.depends.map((uuid) => ({ ref: uuid, title: titles.get(uuid) ?? uuid })),
    repeat: rule,
    status: toStatus(task),
    priority: PRIORITIES.get(task.priority ?? "") ?? 2,
    project: task.project ?? null,
    dueDate: due === null ? null : toDueDate(due, zone),
    tags: task.tags,
    createdAt: toTime(task.entry),
    completedAt: task.status === "completed" ? toTime(task.end) : null,
  };
}

const PERIODS: ReadonlyMap<string, string> = new Map(
  [
    ["FREQ=DAILY", "daily day"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "weekdays"],
    ["FREQ=WEEKLY", "weekly week sennight"],
    ["FREQ=WEEKLY;INTERVAL=2", "biweekly fortnight"],
    ["FREQ=MONTHLY", "monthly month"],
    ["FREQ=MONTHLY;INTERVAL=2", "bimonthly"],
    ["FREQ=MONTHLY;INTERVAL=3", "quarterly quarter"],
    ["FREQ=MONTHLY;INTERVAL=6", "semiannual"],
    ["FREQ=YEARLY", "annual yearly year"],
    ["FREQ=YEARLY;INTERVAL=2", "biannual biyearly"],
  ].flatMap(([rule = "", names = ""]) => names.split(" ").map((name) => [name, rule] as const)),
);
/** How many days or months a unit has. */
const UNITS: readonly (readonly [RegExp, "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY", number])[] = [
  [/^(?:d|days?)$/, "DAILY", 1],
  [/^(?:w|wks?|weeks?)$/, "WEEKLY", 1],
  [/^(?:pm|mo|mos|mths?|mnths?|months?)$/, "MONTHLY", 1],
  [/^(?:q|qtrs?|qrtrs?|quarters?)$/, "MONTHLY", 3],
  [/^(?:y|yrs?|years?)$/, "YEARLY", 1],
];

/** The rule of a period such as "weekly", "2wks" or "P1M"; null for one of hours, or none at all. */
function toRule({ recur = "", until }: Exported): string | null {
  const period = recur.toLowerCase();
  const end = toTime(until);
  const ending = end === null ? "" : `;UNTIL=${end.toISOString().slice(0, 10).replaceAll("-", "")}`;
  const named = PERIODS.get(period);
  if (named !== undefined) return `${named}${ending}`;
  const [, iso = "", number = "1", name = ""] = /^(p?)(\d{1,3})?\s?([a-z]+)$/.exec(period) ?? [];
  // In ISO 8601, P1M is a month.
  const unit = UNITS.find(([names]) => names.test(name === "m" ? `${iso}m` : name));
  if (unit === undefined || Number(number) === 0) return null;
  const interval = Number(number) * unit[2];
  return `FREQ=${unit[1]}${interval === 1 ? "" : `;INTERVAL=${interval}`}${ending}`;
}

function toStatus({ status, start }: Exported): TaskStatus {
  if (status === "completed") return "done";
  return start === undefined ? "todo" : "in_progress";
}

/** Days are midnights there. */
function toDueDate(due: Date, zone: Intl.DateTimeFormat): string {
  const [day, time] = zone.format(due).split(" ");
  return day !== undefined && time === "00:00:00" ? day : due.toISOString();
}

/** A line about a time that tasks do not have here. */
function timeLine(label: string, text: string | undefined): string[] {
  const time = toTime(text);
  return time === null ? [] : [`${label}: ${time.toISOString()}`];
}

/** Taskwarrior writes times without separators. */
function toTime(text: string | undefined): Date | null {
  const parts = TIME.exec(text ?? "")?.slice(1);
  if (parts === undefined) return null;
  const [year, month, day, hour, minute, second] = parts;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time.getTime()) ? null : time;
}
