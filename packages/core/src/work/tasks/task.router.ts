import * as z from "zod";
import { listInput } from "../../platform/paging.ts";
import { authorOf } from "../../platform/procedures/author.ts";
import { effectOfReplacing } from "../../platform/procedures/effect.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  agendaInput,
  agendaSectionSchema,
  createTaskInput,
  deletedTaskSchema,
  groupCountsInput,
  groupCountSchema,
  listTasksInput,
  listTasksForModelsInput,
  listTasksForProgramsInput,
  partySchema,
  taskByIdInput,
  taskCountSchema,
  taskSchema,
  updateTaskInput,
} from "./task.schema.ts";
import type { TaskGroupService } from "./task-group.service.ts";
import type { TaskService } from "./task.service.ts";

interface TaskServices {
  readonly tasks: TaskService;
  readonly taskGroups: TaskGroupService;
}

const byId = z.object({ id: z.string() });
/** A task is shown with its project, its creator, its claim and the number of its subtasks, which change independently of its version. */
const entityTag = { entityTagAt: ["data", "version"], entityTagWith: ["project", "creator", "claim", "subtasks"] };

const procedure = userProcedure<TaskServices>().tagged("Tasks");

async function titleOf({ services }: { readonly services: TaskServices }, id: string): Promise<string> {
  return (await services.tasks.get(id)).title;
}

export const taskRouter = {
  list: procedure
    .rest("GET /tasks", "List tasks, newest first")
    .input(listTasksInput)
    .output(pageOf(taskSchema))
    .v1("tasks:read", { input: listTasksForProgramsInput })
    .tool(
      "List the user's tasks, newest first, optionally by status, project, words in title and text, or a filter with and, or, not.",
      {
        allows: "See the list of tasks.",
        input: listTasksForModelsInput,
      },
    )
    .query(({ ctx, input }) => asPage(ctx.services.tasks.list(input, ctx.principal.userId))),

  create: procedure
    .rest("POST /tasks", "Create a task from its fields, or from a text that mentions them", {
      errorStatuses: [409],
      ...entityTag,
    })
    .input(createTaskInput)
    .output(dataOf(taskSchema))
    .v1("tasks:write")
    .tool(
      "Create a task from its title and other fields, or from a text as people write it, such as 'Call dentist tomorrow 9am " +
        "#health !high @Garden'.",
      { allows: "Add tasks." },
    )
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.tasks.create(input, authorOf(ctx)))),

  tags: procedure
    .rest("GET /tasks/tags", "List the tags in use")
    .input(listInput)
    .output(pageOf(z.string()))
    .v1("tasks:read")
    .tool("List the tags in use.", { allows: "See which tags are in use." })
    .query(({ ctx, input }) => asPage(ctx.services.taskGroups.listTags(input))),

  counts: procedure
    .rest("GET /tasks/counts", "Count the tasks of each status in each project, and in none")
    .output(dataOf(z.array(taskCountSchema)))
    .query(({ ctx }) => asData(ctx.services.taskGroups.countAll())),

  groups: procedure
    .rest(
      "GET /tasks/groups",
      "Count the tasks that match a filter, by status, priority, project, due date, tag or assignee",
    )
    .input(groupCountsInput)
    .output(dataOf(z.array(groupCountSchema)))
    .v1("tasks:read")
    .tool(
      "Count tasks by status, priority, project, due date, first tag or assignee, optionally only those that match a filter.",
      {
        name: "tasks_count",
        allows: "Count tasks.",
      },
    )
    .query(({ ctx, input }) => asData(ctx.services.taskGroups.countGroups(input, ctx.principal.userId))),

  agenda: procedure
    .rest(
      "GET /tasks/agenda",
      "List the first tasks that are overdue, due soon, in progress and just done, and count all",
    )
    .input(agendaInput)
    .output(dataOf(z.array(agendaSectionSchema)))
    .query(({ ctx, input }) => asData(ctx.services.taskGroups.readAgenda(input, ctx.principal.userId))),

  parties: procedure
    .rest("GET /tasks/parties", "List the people, agents and keys that tasks can be handed to")
    .output(dataOf(z.array(partySchema)))
    .v1("tasks:read")
    .tool("List the people, agents and programs that tasks can be handed to.", {
      allows: "See who tasks can be handed to.",
    })
    .query(({ ctx }) => asData(ctx.services.taskGroups.listParties())),

  get: procedure
    .rest("GET /tasks/{id}", "Get one task", { errorStatuses: [404], ...entityTag })
    .input(byId)
    .output(dataOf(taskSchema))
    .v1("tasks:read")
    .tool("Read one task by its id.", { allows: "Read a task." })
    .query(({ ctx, input }) => asData(ctx.services.tasks.get(input.id))),

  update: procedure
    .rest("PUT /tasks/{id}", "Change the given fields", {
      errorStatuses: [404, 409, 412],
      ...entityTag,
      takesIfMatch: "expectedVersion",
    })
    .input(updateTaskInput)
    .output(dataOf(taskSchema))
    .v1("tasks:write")
    .tool(
      "Change fields of a task, for example its status to done, with its open subtasks. Omitted fields stay unchanged; null clears a field.",
      {
        allows: "Change tasks: their status and dates, and their texts. What they were before is in their history.",
        inspect: async ({ ctx, input }) => ({
          effect: effectOfReplacing(input.title, input.description),
          subject: await titleOf(ctx, input.id),
        }),
      },
    )
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.tasks.update(input, authorOf(ctx)))),

  skip: procedure
    .rest("POST /tasks/{id}/skip", "Move a repeating task to its next date without doing it", {
      errorStatuses: [404, 412],
      ...entityTag,
      takesIfMatch: "expectedVersion",
    })
    .input(taskByIdInput)
    .output(dataOf(taskSchema))
    .v1("tasks:write")
    .tool("Move a repeating task to its next date without doing it.", { allows: "Skip dates of repeating tasks." })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.tasks.skip(input, authorOf(ctx)))),

  delete: procedure
    .rest("DELETE /tasks/{id}", "Delete a task with its subtasks; it can be restored", {
      errorStatuses: [404, 412],
      takesIfMatch: "expectedVersion",
    })
    .input(taskByIdInput)
    .output(dataOf(deletedTaskSchema))
    .v1("tasks:write")
    .tool("Delete a task with its subtasks. It can be restored.", {
      allows: "Delete tasks. They can be restored.",
      inspect: async ({ ctx, input }) => ({ effect: "destroys", subject: await titleOf(ctx, input.id) }),
    })
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.tasks.delete(input, authorOf(ctx)))),

  restore: procedure
    .rest("POST /tasks/{id}/restore", "Restore a deleted task, with the subtasks that were deleted with it", {
      errorStatuses: [404, 412],
      takesIfMatch: "expectedVersion",
    })
    .input(taskByIdInput)
    .output(dataOf(deletedTaskSchema))
    .v1("tasks:write")
    .tool("Restore a deleted task.", { allows: "Restore deleted tasks." })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.tasks.restore(input, authorOf(ctx)))),
};
