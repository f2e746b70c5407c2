import * as z from "zod";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
import { createTaskInput, deletedTaskSchema, listTasksInput, taskSchema, updateTaskInput } from "./task.schema.ts";

const tags = ["Tasks"];
const byId = z.object({ id: z.string() });

export const taskRouter = router({
  list: userProcedure
    .meta({ openapi: { method: "GET", path: "/tasks", summary: "List tasks, newest first", tags } })
    .input(listTasksInput)
    .output(pageOf(taskSchema))
    .query(({ ctx, input }) => asPage(ctx.services.tasks.list(input))),

  create: userProcedure
    .meta({ openapi: { method: "POST", path: "/tasks", summary: "Create a task", tags } })
    .input(createTaskInput)
    .output(dataOf(taskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.create(input, ctx.principal.userId))),

  tags: userProcedure
    .meta({ openapi: { method: "GET", path: "/tasks/tags", summary: "List the tags in use", tags } })
    .output(dataOf(z.array(z.string())))
    .query(({ ctx }) => asData(ctx.services.tasks.listTags())),

  get: userProcedure
    .meta({ openapi: { method: "GET", path: "/tasks/{id}", summary: "Get one task", tags, errorStatuses: [404] } })
    .input(byId)
    .output(dataOf(taskSchema))
    .query(({ ctx, input }) => asData(ctx.services.tasks.get(input.id))),

  update: userProcedure
    .meta({
      openapi: { method: "PUT", path: "/tasks/{id}", summary: "Change the given fields", tags, errorStatuses: [404] },
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
        errorStatuses: [404],
      },
    })
    .input(byId)
    .output(dataOf(deletedTaskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.delete(input.id))),

  restore: userProcedure
    .meta({
      openapi: {
        method: "POST",
        path: "/tasks/{id}/restore",
        summary: "Restore a deleted task",
        tags,
        errorStatuses: [404],
      },
    })
    .input(byId)
    .output(dataOf(deletedTaskSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.tasks.restore(input.id))),
});
