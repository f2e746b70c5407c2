import * as z from "zod";
import { taskSchema } from "../tasks/task.schema.ts";

export const TASK_FORMATS = ["markdown", "todoist", "linear", "taskwarrior", "vikunja", "workspace"] as const;
export type TaskFormat = (typeof TASK_FORMATS)[number];

/** So many are read, and written in one transaction. */
export const MAX_IMPORTED_TASKS = 10_000;
const MAX_CONTENT_CHARACTERS = 5_000_000;

export const importTasksInput = z.object({
  format: z.enum(TASK_FORMATS).meta({
    description:
      "markdown: checkboxes; todoist: CSV of a project; linear: CSV of issues; taskwarrior: what `task export` prints; vikunja: data.json of an export; workspace: tasks.json of an export of a workspace",
  }),
  content: z
    .string()
    .min(1, "must not be empty")
    .max(MAX_CONTENT_CHARACTERS, "must be at most 5,000,000 characters")
    .meta({ description: "The text of the file" }),
  projectId: z.string().nullish().meta({ description: "The project of tasks for which the file names none" }),
  dryRun: z.boolean().default(true).meta({ description: "Only says what would be imported" }),
});
export type ImportTasks = z.infer<typeof importTasksInput>;

export const taskImportSchema = z
  .object({
    isDryRun: z.boolean(),
    createdCount: z.number().int().meta({ description: "How many tasks were created, or would be" }),
    knownCount: z
      .number()
      .int()
      .meta({ description: "How many were imported before; they stay as they are, even if deleted" }),
    skippedCount: z.number().int().meta({ description: "How many entries do not become tasks" }),
    newProjects: z.array(z.string()).meta({ description: "The names of projects that are created" }),
    tasks: z
      .array(
        taskSchema
          .pick({
            title: true,
            description: true,
            status: true,
            priority: true,
            dueDate: true,
            dueTime: true,
            tags: true,
            repeat: true,
            repeatFrom: true,
          })
          .extend({
            place: z.string().meta({ description: "Where it is in the file" }),
            project: z.string().nullable().meta({ description: "The name of its project" }),
            parent: z.string().nullable().meta({ description: "The title of the task that it is a part of" }),
            blockedBy: z.array(z.string()).meta({ description: "The titles of the tasks that have to be done first" }),
            relatesTo: z.array(z.string()).meta({ description: "The titles of the tasks that concern it" }),
            notes: z.array(z.string()).meta({ description: "The titles of the notes that it is linked to" }),
            reminders: z.array(
              z.object({
                minutesBefore: z.number().int().nullable().meta({ description: "Before it is due" }),
                at: z.string().nullable().meta({ description: "Or the time" }),
              }),
            ),
            isKnown: z.boolean().meta({ description: "Whether it was imported before" }),
          }),
      )
      .meta({ description: "The first hundred" }),
    skipped: z
      .array(z.object({ place: z.string(), title: z.string(), reason: z.string() }))
      .meta({ description: "The first hundred" }),
  })
  .meta({ id: "TaskImport" });
export type TaskImport = z.infer<typeof taskImportSchema>;
