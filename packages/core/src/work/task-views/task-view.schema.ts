import * as z from "zod";
import { entityVersion, expectedVersion } from "../../platform/entity-version.ts";
import { pagingInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";
import { filterText } from "../task-filter/task-filter.schema.ts";
import { TASK_GROUPINGS } from "../task-filter/task-grouping.ts";

export const MAX_VIEWS = 200;

const name = z.string().trim().min(1, "must not be empty").max(100, "must be at most 100 characters");
const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "expected a 6-digit hex color with a leading #, such as #3b82f6")
  .nullable();

/** How tasks are shown. */
export const viewSettingsSchema = z.object({
  filter: filterText.meta({ description: "Which tasks, as the list of tasks takes it; empty for all" }),
  layout: z.enum(["list", "board", "calendar", "upcoming", "ready"]),
  group: z.enum(TASK_GROUPINGS),
  sort: z.enum(["newest", "due", "priority", "title", "manual"]),
});
export type ViewSettings = z.infer<typeof viewSettingsSchema>;

export const taskViewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    color: z.string().nullable(),
    settings: viewSettingsSchema.extend({ filter: z.string() }),
    createdAt: timestamp,
    modifiedAt: timestamp,
    deletedAt: timestamp.nullable(),
    version: entityVersion,
  })
  .meta({ id: "TaskView" });
export type TaskView = z.infer<typeof taskViewSchema>;

export const listViewsInput = z.object({
  includeDeleted: z.boolean().optional().meta({ description: "Include deleted views" }),
  ...pagingInput,
});
export type ListViews = z.infer<typeof listViewsInput>;

export const createViewInput = z.object({
  name,
  color: color.optional(),
  settings: viewSettingsSchema.partial().optional(),
});
export type CreateView = z.infer<typeof createViewInput>;

export const updateViewInput = z.object({
  id: z.string(),
  name: name.optional(),
  color: color.optional(),
  settings: viewSettingsSchema.partial().optional().meta({ description: "The settings to change" }),
  expectedVersion,
});
export type UpdateView = z.infer<typeof updateViewInput>;

export const viewByIdInput = z.object({ id: z.string(), expectedVersion });
export type ViewById = z.infer<typeof viewByIdInput>;

export const orderViewsInput = z.object({
  ids: z
    .array(z.string())
    .max(MAX_VIEWS, `must contain at most ${MAX_VIEWS} views`)
    .meta({ description: "In the order in which they are shown; others follow in their former order" }),
});

export const deletedViewSchema = taskViewSchema
  .pick({ id: true, name: true, deletedAt: true })
  .meta({ id: "DeletedTaskView" });
