import * as z from "zod";
import { authorOf } from "../../platform/procedures/author.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, dataOf } from "../../platform/procedures/response.ts";
import { taskSchema } from "../tasks/task.schema.ts";
import {
  claimedTaskSchema,
  claimTaskInput,
  handOverInput,
  listReadyInput,
  releaseTaskInput,
  renewClaimInput,
  setBlockersInput,
  taskBlocksSchema,
} from "./task-queue.schema.ts";
import type { TaskBlockService } from "./task-blocks.service.ts";
import type { TaskHandOverService } from "./task-hand-over.service.ts";
import type { TaskQueueService } from "./task-queue.service.ts";

interface QueueServices {
  readonly taskQueue: TaskQueueService;
  readonly taskBlocks: TaskBlockService;
  readonly taskHandOver: TaskHandOverService;
}

const procedure = userProcedure<QueueServices>().tagged("Tasks");
const byId = z.object({ id: z.string() });

/** How several people and programs share the work. */
export const taskQueueRouter = {
  ready: procedure
    .rest("GET /tasks/ready", "List the tasks that can be begun, the most urgent first")
    .input(listReadyInput)
    .output(dataOf(z.array(taskSchema)))
    .v1("tasks:read")
    .tool(
      "List tasks that can be begun: open, not blocked, not claimed by anyone and not meant for somebody else, the most urgent first.",
      { allows: "See which tasks can be begun." },
    )
    .query(({ ctx, input }) => asData(ctx.services.taskQueue.listReady(input, authorOf(ctx)))),

  claim: procedure
    .rest("POST /tasks/claim", "Claim a task, so that nobody else begins it", { errorStatuses: [404, 409] })
    .input(claimTaskInput)
    .output(dataOf(claimedTaskSchema))
    .v1("tasks:write")
    .tool(
      "Claim a task before working on it: the given one, or the most urgent that is ready. It becomes in_progress, and nobody else gets it until the lease ends. Renew the claim while you work, set the status to done when you have finished, or release the task.",
      { allows: "Claim tasks to work on." },
    )
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskQueue.claim(input, authorOf(ctx)))),

  renew: procedure
    .rest("POST /tasks/{id}/renew", "Renew the claim of a task", { errorStatuses: [404, 409] })
    .input(renewClaimInput)
    .output(dataOf(taskSchema))
    .v1("tasks:write")
    .tool("Renew a claim before its lease ends.", { allows: "Renew claims of tasks." })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskQueue.renew(input))),

  release: procedure
    .rest("POST /tasks/{id}/release", "Release a claimed task, with a note for whoever continues", {
      errorStatuses: [404, 409],
    })
    .input(releaseTaskInput)
    .output(dataOf(taskSchema))
    .v1("tasks:write")
    .tool("Release a task that you cannot finish, with a note about its state for whoever continues.", {
      allows: "Release tasks that are claimed.",
    })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskQueue.release(input, authorOf(ctx)))),

  handOver: procedure
    .rest("POST /tasks/{id}/hand-over", "Hand a task to a person, an agent or a key, with a note", {
      errorStatuses: [404, 409],
    })
    .input(handOverInput)
    .output(dataOf(taskSchema))
    .v1("tasks:write")
    .tool(
      "Hand a task to a named person, agent or program, with a note for them; ends your claim. Only they get it from the queue then.",
      { name: "tasks_handover", allows: "Hand tasks to others." },
    )
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskHandOver.handOver(input, authorOf(ctx)))),

  blocks: procedure
    .rest("GET /tasks/{id}/blockers", "List what has to be done before a task, and what waits for it", {
      errorStatuses: [404],
    })
    .input(byId)
    .output(dataOf(taskBlocksSchema))
    .v1("tasks:read")
    .tool("See what has to be done before a task, and what waits for it.", { allows: "See what blocks a task." })
    .query(({ ctx, input }) => asData(ctx.services.taskBlocks.find(input.id))),

  setBlockers: procedure
    .rest("PUT /tasks/{id}/blockers", "Replace the tasks that have to be done before a task", { errorStatuses: [404] })
    .input(setBlockersInput)
    .output(dataOf(taskBlocksSchema))
    .v1("tasks:write")
    .tool("Set which tasks have to be done before a task can begin. Replaces those set before.", {
      name: "tasks_block",
      allows: "Set what blocks a task.",
    })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.taskBlocks.replace(input, authorOf(ctx)))),
};
