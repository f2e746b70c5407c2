import * as z from "zod";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { taskSessionSchema } from "./task-sessions.schema.ts";
import type { TaskSessionService } from "./task-sessions.service.ts";

const procedure = userProcedure<{ readonly taskSessions: TaskSessionService }>().tagged("Tasks");

export const taskSessionRouter = {
  sessions: procedure
    .rest("GET /tasks/{id}/sessions", "List the assistants' sessions that named a task, and what they did", {
      errorStatuses: [404],
    })
    .input(z.object({ id: z.string() }))
    .output(dataOf(z.array(taskSessionSchema)))
    // It says what sessions were about, like the search of sessions.
    .v1("memory:read")
    .tool(
      "See which assistants' sessions worked on a task before: what they were asked, changed, committed and cost.",
      {
        allows: "See which assistants' sessions worked on a task.",
      },
    )
    .query(({ ctx, input }) => asData(ctx.services.taskSessions.list(input.id))),
};
