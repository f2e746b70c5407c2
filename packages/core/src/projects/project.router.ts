import * as z from "zod";
import { asData, dataOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
import { createProjectInput, deletedProjectSchema, projectSchema, updateProjectInput } from "./project.schema.ts";

const tags = ["Projects"];
const byId = z.object({ id: z.string() });

export const projectRouter = router({
  list: userProcedure
    .meta({ openapi: { method: "GET", path: "/projects", summary: "List projects by name", tags } })
    .input(z.object({ includeDeleted: z.boolean().optional() }))
    .output(dataOf(z.array(projectSchema)))
    .query(({ ctx, input }) => asData(ctx.services.projects.list(input))),

  create: userProcedure
    .meta({ openapi: { method: "POST", path: "/projects", summary: "Create a project", tags } })
    .input(createProjectInput)
    .output(dataOf(projectSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.projects.create(input))),

  get: userProcedure
    .meta({
      openapi: { method: "GET", path: "/projects/{id}", summary: "Get one project", tags, errorStatuses: [404] },
    })
    .input(byId)
    .output(dataOf(projectSchema))
    .query(({ ctx, input }) => asData(ctx.services.projects.get(input.id))),

  update: userProcedure
    .meta({
      openapi: {
        method: "PUT",
        path: "/projects/{id}",
        summary: "Change the given fields",
        tags,
        errorStatuses: [404],
      },
    })
    .input(updateProjectInput)
    .output(dataOf(projectSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.projects.update(input))),

  delete: userProcedure
    .meta({
      openapi: {
        method: "DELETE",
        path: "/projects/{id}",
        summary: "Delete a project; what it groups stays",
        tags,
        errorStatuses: [404],
      },
    })
    .input(byId)
    .output(dataOf(deletedProjectSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.projects.delete(input.id))),

  restore: userProcedure
    .input(byId)
    .output(dataOf(projectSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.projects.restore(input.id))),
});
