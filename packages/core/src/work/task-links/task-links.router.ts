import * as z from "zod";
import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { taskRefSchema } from "../tasks/task.schema.ts";
import { linkViewOf } from "./link-view.ts";
import { changeLinksInput, linkedTasksInput, taskDetailsSchema } from "./task-links.schema.ts";
import type { TaskLinkService } from "./task-links.service.ts";

const procedure = userProcedure<{ readonly taskLinks: TaskLinkService }>().tagged("Tasks");

export const taskLinkRouter = {
  details: procedure
    .rest("GET /tasks/{id}/details", "Get what belongs to a task: subtasks, checklist, related tasks, links", {
      errorStatuses: [404],
    })
    .input(z.object({ id: z.string() }))
    .output(dataOf(taskDetailsSchema))
    .v1("tasks:read")
    .tool("See what belongs to a task: its subtasks, its checklist, what blocks or concerns it, and linked notes.", {
      allows: "See the subtasks, checklists and links of tasks.",
    })
    .query(({ ctx, input }) => asData(ctx.services.taskLinks.details(input.id, linkViewOf(ctx.principal)))),

  link: procedure
    .rest("POST /tasks/{id}/links", "Add and remove single links of a task to others, and to notes and sessions", {
      errorStatuses: [404],
    })
    .input(changeLinksInput)
    .output(dataOf(taskDetailsSchema))
    .v1("tasks:write")
    .tool(
      "Link a task with others that it waits for, blocks or relates to, and with notes and sessions; or unlink it.",
      {
        allows: "Change what tasks wait for, relate to and refer to.",
      },
    )
    .mutation("writes", ({ ctx, input }) =>
      asData(ctx.services.taskLinks.change(input, authorOf(ctx), linkViewOf(ctx.principal))),
    ),

  linked: procedure
    .rest("GET /tasks/linked", "List the tasks that refer to a note, a session or a conversation, open ones first")
    .input(linkedTasksInput)
    .output(dataOf(z.array(taskRefSchema)))
    .v1("tasks:read")
    .tool("List the tasks that refer to a note, an assistant's session or a conversation.", {
      allows: "See which tasks refer to something.",
    })
    .query(({ ctx, input }) => asData(ctx.services.taskLinks.linkedTo(input, linkViewOf(ctx.principal)))),
};
