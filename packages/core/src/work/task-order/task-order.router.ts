import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { taskSchema } from "../tasks/task.schema.ts";
import { moveTaskInput } from "./task-order.schema.ts";
import type { TaskOrderService } from "./task-order.service.ts";

const procedure = userProcedure<{ readonly taskOrder: TaskOrderService }>().tagged("Tasks");

export const taskOrderRouter = {
  move: procedure
    .rest("POST /tasks/{id}/move", "Move a task in the manual order, perhaps to another parent or status", {
      errorStatuses: [404, 409],
    })
    .input(moveTaskInput)
    .output(dataOf(taskSchema))
    .v1("tasks:write")
    .tool("Move a task in the manual order: right after or before another one, perhaps as a subtask of a task.", {
      allows: "Change the order of tasks, and what is a subtask of what.",
    })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskOrder.move(input, authorOf(ctx)))),
};
