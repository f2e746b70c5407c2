import * as z from "zod";
import { MAX_CHOICES } from "../../platform/choices.ts";
import { entityVersion, expectedVersion } from "../../platform/entity-version.ts";
import { instantInput } from "../../platform/instant.ts";
import { pagingInput } from "../../platform/paging.ts";
import { isLanguageTag } from "../../platform/language-tag.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { timeZoneInput } from "../../platform/time-zone-input.ts";
import { MAX_CAPTURE_LENGTH } from "../capture/capture-text.ts";
import { projectRefSchema } from "../projects/project.schema.ts";
import { formatRepeatRule, parseRepeatRule, RepeatRuleError } from "../recurrence/repeat-rule.ts";
import { REPEAT_ORIGINS } from "../recurrence/repeated-due.ts";
import { PARTY_KINDS } from "../task-filter/filtered-task.ts";
import { filterInput } from "../task-filter/task-filter.schema.ts";
import { TASK_GROUPINGS } from "../task-filter/task-grouping.ts";
import { parseDueDate } from "./due-date.ts";
import { TASK_STATUSES } from "./task-status.ts";

export const taskStatus = z.enum(TASK_STATUSES);

const title = z.string().trim().min(1, "must not be empty").max(500, "must be at most 500 characters");
const description = z.string().max(100_000, "must be at most 100,000 characters");
const priority = z
  .union([z.literal(1), z.literal(2), z.literal(3)], "must be 1, 2 or 3")
  .meta({ description: "1 low, 2 medium, 3 high" });
const dueDate = z
  .string()
  .refine((text) => parseDueDate(text) !== null, "expected YYYY-MM-DD or an ISO 8601 date-time")
  .meta({ description: "YYYY-MM-DD, or an ISO 8601 date-time" });
const dueTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "expected HH:MM from 00:00 to 23:59")
  .meta({ description: "HH:MM on a due date that is a plain date, in no time zone" });
const repeat = z
  .string()
  .transform((text, context) => {
    try {
      return formatRepeatRule(parseRepeatRule(text));
    } catch (error) {
      if (!(error instanceof RepeatRuleError)) throw error;
      context.addIssue({ code: "custom", message: error.message });
      return z.NEVER;
    }
  })
  .meta({
    description:
      "How often it repeats: an iCalendar rule (RFC 5545) of days, such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO, with COUNT or UNTIL " +
      "for an end. When the task is done, the next one is created, due on the rule's next date. Without a due date, a task " +
      "that gets a rule is due on its first date",
  });
const repeatFrom = z
  .enum(REPEAT_ORIGINS)
  .meta({ description: "Whether the next date counts from the due date (the default) or from when the task is done" });
const repeatTimezone = timeZoneInput.meta({
  description:
    "The IANA name of the zone of its days: what is today, and the time of a date-time. Default: the server's",
});
const snoozedUntil = instantInput
  .transform((text) => new Date(text).toISOString())
  .meta({ description: "Until then the task is not in the queue, nor in the dashboard's lists" });
const assignee = z
  .object({ kind: z.enum(PARTY_KINDS), id: z.string().max(100, "must be at most 100 characters") })
  .nullish()
  .meta({ description: "Whom the task is meant for: only they get it from the queue. null for everybody" });
const tags = z.array(z.string().max(100, "must be at most 100 characters")).max(100, "must contain at most 100 tags");

/** Who or what a task has been handed to. */
export const partySchema = z
  .object({
    kind: z.enum(PARTY_KINDS),
    id: z.string().meta({ description: "Of the user, the agent or the API key" }),
    name: z.string().meta({ description: "As it was then" }),
  })
  .meta({ id: "TaskParty", description: "A person, an agent or a program with a key" });
export type Party = z.infer<typeof partySchema>;

/** A task where it is only named. */
export const taskRefSchema = z
  .object({ id: z.string(), title: z.string(), status: taskStatus })
  .meta({ id: "TaskRef" });
export type TaskRef = z.infer<typeof taskRefSchema>;

const claimSchema = z.object({
  holder: z.string().meta({ description: "The person, agent or key that works on it" }),
  sessionId: z.string().nullable().meta({ description: "The assistant's session, if it is one" }),
  since: timestamp,
  until: timestamp.meta({ description: "From then on others may claim the task" }),
});

const progress = z.object({ done: z.number().int(), total: z.number().int() });
const parentId = z.string().meta({ description: "The task that it is a subtask of" });

export const taskSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    status: taskStatus,
    priority: z.number().int().meta({ description: "1 low, 2 medium, 3 high" }),
    projectId: z.string().nullable(),
    project: projectRefSchema.nullable(),
    creator: z.object({ id: z.string(), name: z.string() }),
    dueDate: z
      .string()
      .nullable()
      .meta({ description: "A date (YYYY-MM-DD) or a UTC date-time, depending on what was given" }),
    dueTime: z.string().nullable().meta({ description: "HH:MM on a due date that is a plain date, in no time zone" }),
    tags: z.array(z.string()),
    completedAt: timestamp.nullable(),
    deletedAt: timestamp.nullable(),
    createdAt: timestamp,
    modifiedAt: timestamp,
    version: entityVersion,
    claim: claimSchema.nullable().meta({ description: "Who works on it, if it was claimed from the queue" }),
    handoverNote: z.string().nullable().meta({ description: "What the last holder left for whoever continues" }),
    parentId: parentId.nullable(),
    position: z.string().meta({
      description:
        "Its place in the manual order of all tasks, compared by code units; of equal ones the older task is first",
    }),
    subtasks: progress.meta({ description: "How many direct subtasks it has, and how many of them are done" }),
    checklist: progress.meta({ description: "How many items its checklist has, and how many of them are done" }),
    repeat: z.string().nullable().meta({ description: "The iCalendar rule by which it repeats" }),
    repeatFrom: z.enum(REPEAT_ORIGINS).meta({ description: "From what the next date counts" }),
    repeatTimezone: z.string().nullable().meta({ description: "The zone of its days; null for the server's" }),
    nextId: z.string().nullable().meta({ description: "The task that followed when this one was done" }),
    snoozedUntil: timestamp.nullable().meta({ description: "Until then it is not in the queue" }),
    assignee: partySchema.nullable().meta({ description: "Whom it is meant for; null if for everybody" }),
  })
  .meta({ id: "Task" });
export type Task = z.infer<typeof taskSchema>;

export const listTasksInput = z.object({
  includeDeleted: z.boolean().optional().meta({ description: "Include deleted tasks" }),
  onlyDeleted: z.boolean().optional().meta({ description: "Only deleted tasks" }),
  status: z
    .array(taskStatus)
    .max(MAX_CHOICES)
    .optional()
    .meta({ description: "Only tasks with one of these statuses" }),
  projectId: z.string().optional().meta({ description: "Only tasks of this project" }),
  snoozed: z.boolean().optional().meta({ description: "Only snoozed tasks, or only others; by default both" }),
  search: z.string().optional().meta({ description: "Part of the title or the description, case-insensitive" }),
  ...filterInput,
  ...pagingInput,
});
export type ListTasks = z.infer<typeof listTasksInput>;

const shortLimit = z.number().int().min(1).max(200).default(50);
/** Programs always get pages, and never deleted tasks. */
export const listTasksForProgramsInput = listTasksInput
  .pick({ status: true, projectId: true, search: true, snoozed: true, filter: true, timezone: true, cursor: true })
  .extend({ limit: shortLimit });
/** Models only read the first page: more would not fit into their context. */
export const listTasksForModelsInput = listTasksInput.omit({ cursor: true }).extend({ limit: shortLimit });

const newTaskFields = {
  title,
  description: description.nullish(),
  status: taskStatus.optional(),
  priority: priority.optional(),
  projectId: z.string().nullish(),
  dueDate: dueDate.nullish(),
  dueTime: dueTime.nullish(),
  tags: tags.optional(),
  parentId: parentId.nullish(),
  repeat: repeat.nullish(),
  repeatFrom: repeatFrom.optional(),
  repeatTimezone: repeatTimezone.nullish(),
  snoozedUntil: snoozedUntil.nullish(),
  assignee,
};
const newTaskSchema = z.object(newTaskFields);
/** A new task as it is stored. */
export type NewTask = z.infer<typeof newTaskSchema>;

export const createTaskInput = z
  .object({
    id: z.uuid("must be a UUID").optional().meta({
      description:
        "Chosen by the caller, so that a request without a response can be repeated: if the caller has created a task with this id before, that one is returned as it is now",
    }),
    ...newTaskFields,
    title: title.optional(),
    text: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_CAPTURE_LENGTH, "must be at most 1,000 characters")
      .optional()
      .meta({
        description:
          "Instead of a title: the task as people write it in English or German, such as " +
          '"Call dentist tomorrow 9am #health !high every 2 weeks @Garden". Due date and time, repetition, tags, priority and the name of a project are ' +
          "read from it; everything else stays in the title, and so does what could mean several things or names no project",
      }),
    language: z.string().refine(isLanguageTag, "expected a language tag, such as en, en-US or de").optional().meta({
      description: "Of `text`: decides what is ambiguous, such as 3/4. Default en, which leaves 3/4 in the title",
    }),
    timezone: timeZoneInput
      .optional()
      .meta({ description: "Of `text`: the IANA name of the zone of its days and times. Default: that of the server" }),
  })
  .refine(({ title, text }) => title !== undefined || text !== undefined, {
    path: ["title"],
    message: "is required",
  })
  .refine(({ title, text }) => title === undefined || text === undefined, {
    path: ["text"],
    message: "give either a title or a text",
  })
  .refine(({ text, language, timezone }) => text !== undefined || (language ?? timezone) === undefined, {
    path: ["text"],
    message: "expected with a language or a time zone, which are those of the text",
  });
export type CreateTask = z.infer<typeof createTaskInput>;

export const updateTaskInput = z.object({
  id: z.string(),
  title: title.optional(),
  description: description.nullish(),
  status: taskStatus.optional(),
  priority: priority.optional(),
  projectId: z.string().nullish(),
  dueDate: dueDate.nullish(),
  dueTime: dueTime.nullish(),
  tags: tags.optional(),
  parentId: parentId.nullish(),
  claimId: z
    .string()
    .optional()
    .meta({ description: "Of the caller's claim, if the task is claimed in another session of the same key" }),
  repeat: repeat.nullish(),
  repeatFrom: repeatFrom.optional(),
  repeatTimezone: repeatTimezone.nullish(),
  snoozedUntil: snoozedUntil.nullish(),
  assignee,
  expectedVersion,
});
export type UpdateTask = z.infer<typeof updateTaskInput>;

export const taskCountSchema = z
  .object({
    projectId: z.string().nullable(),
    status: taskStatus,
    count: z.int(),
    snoozed: z.int().meta({ description: "How many of them are snoozed" }),
  })
  .meta({ id: "TaskCount" });
export type TaskCount = z.infer<typeof taskCountSchema>;

export const groupCountsInput = z.object({ by: z.enum(TASK_GROUPINGS), ...filterInput });
export type CountGroups = z.infer<typeof groupCountsInput>;

export const groupCountSchema = z
  .object({
    key: z.string().meta({
      description:
        "The value, or none: a status, a priority, the first tag, or the id of a project or an assignee; of due dates overdue, today, tomorrow, week (up to 7 days after today), later, earlier (done, and due before today)",
    }),
    count: z.int(),
  })
  .meta({ id: "TaskGroupCount" });
export type GroupCount = z.infer<typeof groupCountSchema>;

/** In the order of urgency: a task belongs to the first that applies. */
export const AGENDA_SECTIONS = ["overdue", "today", "in_progress", "week", "done"] as const;
export type AgendaSectionName = (typeof AGENDA_SECTIONS)[number];

export const agendaInput = z.object({
  timezone: timeZoneInput
    .optional()
    .meta({ description: "The IANA name of the zone of the days. Default: that of the server" }),
  limit: z.number().int().min(1).max(50).default(8).meta({ description: "The most tasks of each section" }),
});
export type ReadAgenda = z.infer<typeof agendaInput>;

export const agendaSectionSchema = z
  .object({
    section: z.enum(AGENDA_SECTIONS).meta({
      description: "Overdue, due today, in progress, due within the next 7 days, or done within the last 7",
    }),
    total: z.int().meta({ description: "How many tasks it has, in the response or not" }),
    tasks: z.array(taskSchema).meta({ description: "By due date; of those that are done, the last one first" }),
  })
  .meta({ id: "TaskAgendaSection" });
export type AgendaSection = z.infer<typeof agendaSectionSchema>;

/** For deleting and restoring. */
export const taskByIdInput = z.object({ id: z.string(), expectedVersion });
export type TaskById = z.infer<typeof taskByIdInput>;

export const deletedTaskSchema = taskSchema
  .pick({ id: true, title: true, deletedAt: true })
  .meta({ id: "DeletedTask" });
export type DeletedTask = z.infer<typeof deletedTaskSchema>;
