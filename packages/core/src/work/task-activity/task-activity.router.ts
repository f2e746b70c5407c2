import * as z from "zod";
import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import { linkViewOf } from "../task-links/link-view.ts";
import { taskSchema } from "../tasks/task.schema.ts";
import type { TaskService } from "../tasks/task.service.ts";
import {
  activityEntrySchema,
  addCommentInput,
  changeByIdInput,
  changeDetailSchema,
  commentByIdInput,
  editCommentInput,
  listActivityInput,
  mentionableSchema,
  taskCommentSchema,
} from "./task-activity.schema.ts";
import type { TaskActivityService } from "./task-activity.service.ts";
import type { TaskCommentService } from "./task-comment.service.ts";

interface ActivityServices {
  readonly tasks: TaskService;
  readonly taskActivity: TaskActivityService;
  readonly taskComments: TaskCommentService;
}

const procedure = userProcedure<ActivityServices>().tagged("Tasks");

/** The history of a task, and what is written about it. */
export const taskActivityRouter = {
  activity: procedure
    .rest("GET /tasks/{id}/activity", "List the changes of a task and the comments on it, newest first", {
      errorStatuses: [404],
    })
    .input(listActivityInput)
    .output(pageOf(activityEntrySchema))
    .v1("tasks:read")
    .tool("List the changes of a task, with who made them, and the comments on it, newest first.", {
      allows: "See the history of tasks and the comments on them.",
    })
    .query(({ ctx, input }) => asPage(ctx.services.taskActivity.list(input, linkViewOf(ctx.principal)))),

  change: procedure
    .rest("GET /tasks/{id}/changes/{changeId}", "Get one change of a task, with the whole description", {
      errorStatuses: [404],
    })
    .input(changeByIdInput)
    .output(dataOf(changeDetailSchema))
    .v1("tasks:read")
    .query(({ ctx, input }) => asData(ctx.services.taskActivity.getChange(input, linkViewOf(ctx.principal)))),

  undoChange: procedure
    .rest("POST /tasks/{id}/changes/{changeId}/undo", "Undo a change of a task, unless its fields have changed since", {
      errorStatuses: [404, 409, 412],
    })
    .input(changeByIdInput)
    .output(dataOf(taskSchema))
    .v1("tasks:write")
    .tool(
      "Undo one change of a task, by its id in the task's activity. Refused if the fields have been changed since.",
      {
        name: "tasks_undo",
        allows: "Undo changes of tasks.",
        inspect: async ({ ctx, input }) => ({
          effect: "destroys",
          subject: (await ctx.services.tasks.get(input.id)).title,
        }),
      },
    )
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.taskActivity.undo(input, authorOf(ctx)))),

  mentionable: procedure
    .rest("GET /tasks/mentionable", "List the users and agents that a comment can mention")
    .output(dataOf(z.array(mentionableSchema)))
    .query(({ ctx }) => asData(ctx.services.taskComments.listMentionable())),

  comment: procedure
    .rest("POST /tasks/{id}/comments", "Comment on a task", { errorStatuses: [404, 409] })
    .input(addCommentInput)
    .output(dataOf(taskCommentSchema))
    .v1("tasks:write")
    .tool(
      "Comment on a task, in Markdown: for questions and results that others should find there. @name mentions a user, who is notified.",
      { allows: "Comment on tasks, which may notify people." },
    )
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskComments.add(input, authorOf(ctx)))),

  editComment: procedure
    .rest("PUT /tasks/{id}/comments/{commentId}", "Edit a comment of one's own", { errorStatuses: [403, 404] })
    .input(editCommentInput)
    .output(dataOf(taskCommentSchema))
    .v1("tasks:write")
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.taskComments.edit(input, authorOf(ctx)))),

  deleteComment: procedure
    .rest("DELETE /tasks/{id}/comments/{commentId}", "Delete a comment; people can delete those of others", {
      errorStatuses: [403, 404],
    })
    .input(commentByIdInput)
    .output(dataOf(z.object({ id: z.string(), deleted: z.literal(true) })))
    .v1("tasks:write")
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.taskComments.delete(input, authorOf(ctx)))),
};
