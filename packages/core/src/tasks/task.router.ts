import * as z from "zod";
import { listInput } from "../platform/paging.ts";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
import {
  createTaskInput,
  deletedTaskSchema,
  listTasksInput,
  taskByIdInput,
  taskSchema,
  updateTaskInput,
} from "./task.schema.ts";

const tags = ["Tasks"];
const byId = z.object({ id: z.string() });
/** A task is shown with its project and its creator, whose names change by themselves. */
const entityTag = { entityTagAt: ["data", "version"], entityTagWith: ["project", "creator"] };

export const taskRouter = router({
  list: userProcedure
    .meta({ openapi: { method: "GET", path: "/tasks", summary: "List tasks, newest first", tags } })
    .input(listTasksInput)
    .output(pageOf(taskSchema))
    .query(({ ctx, input }) => asPage(ctx.services.tasks.list(input))),

  create: userProcedure
    .meta({ openapi: { method: "POST", path: "/tasks", summary: "Create a task", tags, ...entityTag } })
    .input(createTaskInput)
    .output(dataOf(taskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.create(input, ctx.principal.userId))),

  tags: userProcedure
    .meta({ openapi: { method: "GET", path: "/tasks/tags", summary: "List the tags in use", tags } })
    .input(listInput)
    .output(pageOf(z.string()))
    .query(({ ctx, input }) => asPage(ctx.services.tasks.listTags(input))),

  get: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/tasks/{id}",
        summary: "Get one task",
        tags,
        errorStatuses: [404],
        ...entityTag,
      },
    })
    .input(byId)
    .output(dataOf(taskSchema))
    .query(({ ctx, input }) => asData(ctx.services.tasks.get(input.id))),

  update: userProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/tasks/{id}",
        summary: "Change the given fields",
        tags,
        errorStatuses: [404, 412],
        ...entityTag,
        takesIfMatch: "expectedVersion",
      },
    })
    .input(updateTaskInput)
    .output(dataOf(taskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.update(input))),

  delete: userProcedure
    .meta({
      openapi: {
        method: "DELETE",
        path: "/tasks/{id}",
        summary: "Delete a task; it can be restored",
        tags,
        errorStatuses: [404, 412],
        takesIfMatch: "expectedVersion",
      },
    })
    .input(taskByIdInput)
    .output(dataOf(deletedTaskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.delete(input.id, input.expectedVersion))),

  restore: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/tasks/{id}/restore",
        summary: "Restore a deleted task",
        tags,
        errorStatuses: [404, 412],
        takesIfMatch: "expectedVersion",
      },
    })
    .input(taskByIdInput)
    .output(dataOf(deletedTaskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.restore(input.id, input.expectedVersion))),
});
