import * as z from "zod";
import { asData, asPage, dataOf, pageOf } from "../platform/response.ts";
import { router, userProcedure } from "../platform/trpc.ts";
import {
  createProjectInput,
  deletedProjectSchema,
  listProjectsInput,
  projectByIdInput,
  projectSchema,
  updateProjectInput,
} from "./project.schema.ts";

const tags = ["Projects"];
const byId = z.object({ id: z.string() });
const entityTagAt = ["data", "version"];

export const projectRouter = router({
  list: userProcedure
    .meta({ openapi: { method: "GET", path: "/projects", summary: "List projects by name", tags } })
    .input(listProjectsInput)
    .output(pageOf(projectSchema))
    .query(({ ctx, input }) => asPage(ctx.services.projects.list(input))),

  create: userProcedure
    .meta({ openapi: { method: "POST", path: "/projects", summary: "Create a project", tags, entityTagAt } })
    .input(createProjectInput)
    .output(dataOf(projectSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.projects.create(input))),

  get: userProcedure
    .meta({
      openapi: {
        method: "GET",
        path: "/projects/{id}",
        summary: "Get one project",
        tags,
        errorStatuses: [404],
        entityTagAt,
      },
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
        errorStatuses: [404, 412],
        entityTagAt,
        takesIfMatch: "expectedVersion",
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
        errorStatuses: [404, 412],
        takesIfMatch: "expectedVersion",
      },
    })
    .input(projectByIdInput)
    .output(dataOf(deletedProjectSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.projects.delete(input))),

  restore: userProcedure
    .input(projectByIdInput)
    .output(dataOf(projectSchema))
    .mutation(({ ctx, input }) => asData(ctx.services.projects.restore(input))),
});
