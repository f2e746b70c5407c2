import * as z from "zod";
import { effectOfReplacing } from "../../platform/procedures/effect.ts";
import { userProcedure } from "../../platform/procedures/procedure.ts";
import { asData, asPage, dataOf, pageOf } from "../../platform/procedures/response.ts";
import {
  createProjectInput,
  deletedProjectSchema,
  listProjectsInput,
  projectByIdInput,
  projectSchema,
  updateProjectInput,
} from "./project.schema.ts";
import type { ProjectService } from "./project.service.ts";

const byId = z.object({ id: z.string() });
const entityTagAt = ["data", "version"];

const procedure = userProcedure<{ readonly projects: ProjectService }>().tagged("Projects");

/** Projects group tasks, so they share the scopes of tasks. */
export const projectRouter = {
  list: procedure
    .rest("GET /projects", "List projects by name")
    .input(listProjectsInput)
    .output(pageOf(projectSchema))
    .v1("tasks:read")
    .tool("List the projects that tasks and documents belong to.", { allows: "See the list of projects." })
    .query(({ ctx, input }) => asPage(ctx.services.projects.list(input))),

  create: procedure
    .rest("POST /projects", "Create a project", { entityTagAt })
    .input(createProjectInput)
    .output(dataOf(projectSchema))
    .v1("tasks:write")
    .tool("Create a project.", { allows: "Add projects." })
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.projects.create(input))),

  get: procedure
    .rest("GET /projects/{id}", "Get one project", { errorStatuses: [404], entityTagAt })
    .input(byId)
    .output(dataOf(projectSchema))
    .v1("tasks:read")
    .tool("Read one project by its id.")
    .query(({ ctx, input }) => asData(ctx.services.projects.get(input.id))),

  update: procedure
    .rest("PUT /projects/{id}", "Change the given fields", {
      errorStatuses: [404, 412],
      entityTagAt,
      takesIfMatch: "expectedVersion",
    })
    .input(updateProjectInput)
    .output(dataOf(projectSchema))
    .v1("tasks:write")
    .tool("Change the given fields of a project.", {
      allows: "Change projects: their color, and their texts, of which no earlier version is kept.",
      inspect: async ({ ctx, input }) => ({
        effect: effectOfReplacing(input.name, input.description),
        subject: (await ctx.services.projects.get(input.id)).name,
      }),
    })
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.projects.update(input))),

  delete: procedure
    .rest("DELETE /projects/{id}", "Delete a project, but not its tasks and documents", {
      errorStatuses: [404, 412],
      takesIfMatch: "expectedVersion",
    })
    .input(projectByIdInput)
    .output(dataOf(deletedProjectSchema))
    .v1("tasks:write")
    .tool("Delete a project. Its tasks and documents are kept.")
    .mutation("destroys", ({ ctx, input }) => asData(ctx.services.projects.delete(input))),

  restore: procedure
    .input(projectByIdInput)
    .output(dataOf(projectSchema))
    .mutation("writes", ({ ctx, input }) => asData(ctx.services.projects.restore(input))),
};
