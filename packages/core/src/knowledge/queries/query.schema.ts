import * as z from "zod";
import { timeZoneInput } from "../../platform/time-zone-input.ts";
import { firstWeekdayInput } from "../../work/calendar-settings/calendar-settings.schema.ts";
import { taskSchema } from "../../work/tasks/task.schema.ts";
import { MAX_QUERY_CHARACTERS, MAX_QUERY_ROWS } from "./query-language.ts";

export const MAX_QUERIES = 20;

export const runQueriesInput = z.object({
  queries: z
    .array(z.string().max(MAX_QUERY_CHARACTERS, "must be at most 4,000 characters"))
    .min(1, "must contain a query")
    .max(MAX_QUERIES, `must contain at most ${MAX_QUERIES} queries`)
    .meta({
      description:
        "Each the text of a ```query block: lines that begin with from (notes or tasks), where, sort, group, columns, limit (at most 500) or show. Example: from tasks\nwhere project = Garden and due <= today + 7d and status != done\nsort due, priority desc",
      example: ["from notes\nwhere #book and rating >= 4\nsort modified desc\ncolumns title, author, rating"],
    }),
  timezone: timeZoneInput
    .optional()
    .meta({ description: "The time zone of words such as `today`; by default, the server's" }),
  firstWeekday: firstWeekdayInput
    .optional()
    .meta({ description: "With which day weeks begin: 0 is Sunday. Default: that of the settings, or Monday" }),
});
export type RunQueries = z.infer<typeof runQueriesInput>;

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const value = z.union([scalar, z.array(scalar), z.null()]).meta({ id: "QueryValue" });
export type ShownValue = z.infer<typeof value>;

const problem = z.object({
  message: z.string(),
  hint: z.string().nullable().meta({ description: "What to write instead" }),
  line: z.number().int().meta({ description: "From 1" }),
  column: z.number().int().meta({ description: "From 1" }),
});

export const queryRowSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    path: z.string().nullable().meta({ description: "Of a note" }),
    task: taskSchema
      .pick({ status: true, priority: true, dueDate: true, dueTime: true, project: true, tags: true, version: true })
      .omit({ project: true })
      .extend({ project: z.object({ name: z.string(), color: z.string() }).nullable() })
      .nullable()
      .meta({ description: "Of a task" }),
    group: value.meta({ description: "The value of the field by which the query groups" }),
    values: z.array(value).meta({ description: "In the order of `columns`" }),
  })
  .meta({ id: "QueryRow" });
export type QueryRow = z.infer<typeof queryRowSchema>;

export const queryResultSchema = z
  .object({
    problem: problem.nullable().meta({ description: "Why the query could not be carried out; then there are no rows" }),
    source: z.enum(["notes", "tasks"]),
    view: z.enum(["list", "table", "tasks"]),
    columns: z.array(z.string()),
    groupedBy: z.string().nullable(),
    rows: z.array(queryRowSchema).meta({ description: `At most ${MAX_QUERY_ROWS}` }),
    isCut: z.boolean().meta({ description: "Whether there are more rows than the limit" }),
  })
  .meta({ id: "QueryResult" });
export type QueryResult = z.infer<typeof queryResultSchema>;

const MAX_BASE_CHARACTERS = 100_000;

export const readBaseInput = z.object({
  text: z
    .string()
    .max(MAX_BASE_CHARACTERS, "must be at most 100,000 characters")
    .meta({ description: "The content of a `.base` file" }),
});

export const baseViewSchema = z
  .object({
    name: z.string(),
    query: z.string().nullable().meta({ description: "Null if what it shows cannot be asked for" }),
    unsupported: z.array(z.string()).meta({ description: "What of the view is not shown, or why it is not" }),
  })
  .meta({ id: "BaseView" });
