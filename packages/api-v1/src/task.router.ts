import {
  asData,
  asPage,
  createTaskInput,
  dataOf,
  keyProcedure,
  listTasksInput,
  pageOf,
  router,
  taskSchema,
  updateTaskInput,
} from "@workspace/core";
import * as z from "zod";

const tags = ["Tasks"];
const entityTag = { entityTagAt: ["data", "version"], entityTagWith: ["project", "creator"] };
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

const listInput = listTasksInput
  .pick({ status: true, projectId: true, search: true, cursor: true })
  .extend({ limit: z.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT) });

export const taskRouter = router({
  list: keyProcedure("tasks:read")
    .meta({
      openapi: { method: "GET", path: "/tasks", summary: "List tasks, newest first", tags, errorStatuses: [403] },
      tool: {
        name: "tasks_list",
        description: "List the user's tasks, newest first, optionally by status, project or words in title and text.",
      },
    })
    .input(listInput)
    .output(pageOf(taskSchema))
    .query(({ ctx, input }) => asPage(ctx.services.tasks.list(input))),

  get: keyProcedure("tasks:read")
    .meta({ tool: { name: "tasks_get", description: "Read one task by its id." } })
    .input(z.object({ id: z.string() }))
    .output(dataOf(taskSchema))
    .query(({ ctx, input }) => asData(ctx.services.tasks.get(input.id))),

  create: keyProcedure("tasks:write")
    .meta({
      openapi: { method: "POST", path: "/tasks", summary: "Create a task", tags, errorStatuses: [403], ...entityTag },
      tool: { name: "tasks_create", description: "Create a task. Only the title is required." },
    })
    .input(createTaskInput)
    .output(dataOf(taskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.create(input, ctx.principal.userId))),

  update: keyProcedure("tasks:write")
    .meta({
      openapi: {
        method: "PUT",
        path: "/tasks/{id}",
        summary: "Change the given fields",
        tags,
        errorStatuses: [403, 404, 412],
        ...entityTag,
        takesIfMatch: "expectedVersion",
      },
      tool: {
        name: "tasks_update",
        description: "Change fields of a task, for example its status to done. What is left out stays; null clears.",
        isDestructive: true,
      },
    })
    .input(updateTaskInput)
    .output(dataOf(taskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.update(input))),
});
