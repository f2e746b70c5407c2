import {
  asData,
  asPage,
  createProjectInput,
  dataOf,
  keyProcedure,
  listInput,
  pageOf,
  projectSchema,
  router,
} from "@workspace/core";

/** Projects group tasks, so the scopes of tasks open them; for assistants only, `/api/v1` has no paths for them. */
export const projectRouter = router({
  list: keyProcedure("tasks:read")
    .meta({ tool: { name: "projects_list", description: "List the projects that tasks and documents belong to." } })
    .input(listInput)
    .output(pageOf(projectSchema))
    .query(({ ctx, input }) => asPage(ctx.services.projects.list(input))),

  create: keyProcedure("tasks:write")
    .meta({ tool: { name: "projects_create", description: "Create a project." } })
    .input(createProjectInput)
    .output(dataOf(projectSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.projects.create(input))),
});
