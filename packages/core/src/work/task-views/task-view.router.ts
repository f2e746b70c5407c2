import * as z from "zod";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  createViewInput,
  deletedViewSchema,
  listViewsInput,
  orderViewsInput,
  taskViewSchema,
  updateViewInput,
  viewByIdInput,
} from "./task-view.schema.ts";
import type { TaskViewService } from "./task-view.service.ts";

const byId = z.object({ id: z.string() });
const entityTagAt = ["data", "version"];

const procedure = userProcedure<{ readonly taskViews: TaskViewService }>().tagged("Views");

/** Saved views of tasks, which share the scopes of tasks. */
export const taskViewRouter = {
  list: procedure
    .rest("GET /task-views", "List the saved views of tasks, in their order")
    .input(listViewsInput)
    .output(pageOf(taskViewSchema))
    .v1("tasks:read")
    .tool("List the saved views of tasks. Listing tasks with the filter of a view returns its tasks.", {
      name: "tasks_views",
      allows: "See the saved views of tasks.",
    })
    .query(({ ctx, input }) => asPage(ctx.services.taskViews.list(input))),

  create: procedure
    .rest("POST /task-views", "Save a view of tasks", { entityTagAt })
    .input(createViewInput)
    .output(dataOf(taskViewSchema))
    .v1("tasks:write")
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskViews.create(input, ctx.principal.userId))),

  order: procedure
    .rest("PUT /task-views/order", "Put the views in an order", { errorStatuses: [404] })
    .input(orderViewsInput)
    .output(dataOf(z.array(taskViewSchema)))
    .v1("tasks:write")
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskViews.order(input.ids))),

  get: procedure
    .rest("GET /task-views/{id}", "Get one view", { errorStatuses: [404], entityTagAt })
    .input(byId)
    .output(dataOf(taskViewSchema))
    .v1("tasks:read")
    .query(({ ctx, input }) => asData(ctx.services.taskViews.get(input.id))),

  update: procedure
    .rest("PUT /task-views/{id}", "Change the given fields", {
      errorStatuses: [404, 412],
      entityTagAt,
      takesIfMatch: "expectedVersion",
    })
    .input(updateViewInput)
    .output(dataOf(taskViewSchema))
    .v1("tasks:write")
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskViews.update(input))),

  delete: procedure
    .rest("DELETE /task-views/{id}", "Delete a view, but none of its tasks; it can be restored", {
      errorStatuses: [404, 412],
      takesIfMatch: "expectedVersion",
    })
    .input(viewByIdInput)
    .output(dataOf(deletedViewSchema))
    .v1("tasks:write")
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.taskViews.delete(input))),

  restore: procedure
    .rest("POST /task-views/{id}/restore", "Restore a deleted view", {
      errorStatuses: [404, 412],
      takesIfMatch: "expectedVersion",
    })
    .input(viewByIdInput)
    .output(dataOf(deletedViewSchema))
    .v1("tasks:write")
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskViews.restore(input))),
};
