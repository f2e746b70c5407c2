import * as z from "zod";
import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import type { TaskService } from "../tasks/task.service.ts";
import {
  changeChecklistInput,
  checklistItemSchema,
  convertChecklistInput,
  convertedSchema,
} from "./task-checklist.schema.ts";
import type { TaskChecklistService } from "./task-checklist.service.ts";

interface ChecklistServices {
  readonly tasks: TaskService;
  readonly taskChecklist: TaskChecklistService;
}

const procedure = userProcedure<ChecklistServices>().tagged("Tasks");
const checklist = dataOf(z.array(checklistItemSchema));

export const taskChecklistRouter = {
  checklist: procedure
    .rest("GET /tasks/{id}/checklist", "List the items of a task's checklist", { errorStatuses: [404] })
    .input(z.object({ id: z.string() }))
    .output(checklist)
    .v1("tasks:read")
    .query(({ ctx, input }) => asData(ctx.services.taskChecklist.find(input.id))),

  changeChecklist: procedure
    .rest("POST /tasks/{id}/checklist", "Add, change, tick, move and remove items of a task's checklist", {
      errorStatuses: [404, 409],
    })
    .input(changeChecklistInput)
    .output(checklist)
    .v1("tasks:write")
    .tool("Add items to the checklist of a task, tick them, change their texts, move or remove them.", {
      name: "tasks_edit_checklist",
      allows: "Change the checklists of tasks. What they were before is in the history.",
      inspect: async ({ ctx, input: { id, set = [], remove = [] } }) => ({
        effect: remove.length > 0 || set.some(({ text }) => text !== undefined) ? "destroys" : "writes",
        subject: (await ctx.services.tasks.get(id)).title,
      }),
    })
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.taskChecklist.change(input, authorOf(ctx)))),

  convertChecklist: procedure
    .rest("POST /tasks/{id}/checklist/convert", "Make items of a checklist subtasks, or subtasks items", {
      errorStatuses: [404, 409, 412],
    })
    .input(convertChecklistInput)
    .output(dataOf(convertedSchema))
    .v1("tasks:write")
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.taskChecklist.convert(input, authorOf(ctx)))),
};
