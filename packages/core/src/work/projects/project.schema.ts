import * as z from "zod";
import { entityVersion, expectedVersion } from "../../platform/entity-version.ts";
import { pagingInput } from "../../platform/paging.ts";
import { timestamp } from "../../platform/procedures/response.ts";

const projectName = z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters");
const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, "expected a 6-digit hex color with a leading #, such as #3b82f6")
  .meta({ description: "Six hexadecimal digits after a #, such as #3b82f6" });
const description = z.string().max(10_000, "must be at most 10,000 characters");

export const projectSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    color: z.string(),
    description: z.string().nullable(),
    createdAt: timestamp,
    modifiedAt: timestamp,
    deletedAt: timestamp.nullable(),
    version: entityVersion,
  })
  .meta({ id: "Project" });
export type Project = z.infer<typeof projectSchema>;

/** A project as shown in its tasks and documents. */
export const projectRefSchema = z
  .object({ id: z.string(), name: z.string(), color: z.string() })
  .meta({ id: "ProjectRef" });
export type ProjectRef = z.infer<typeof projectRefSchema>;

export const listProjectsInput = z.object({
  includeDeleted: z.boolean().optional().meta({ description: "Include deleted projects" }),
  ...pagingInput,
});
export type ListProjects = z.infer<typeof listProjectsInput>;

export const createProjectInput = z.object({
  id: z.uuid("must be a UUID").optional().meta({
    description:
      "Chosen by the caller, so that a request without a response can be repeated: if there is a project with this id, that one is returned as it is now",
  }),
  name: projectName,
  color,
  description: description.nullish(),
});
export type CreateProject = z.infer<typeof createProjectInput>;

export const updateProjectInput = z.object({
  id: z.string(),
  name: projectName.optional(),
  color: color.optional(),
  description: description.nullish(),
  expectedVersion,
});
export type UpdateProject = z.infer<typeof updateProjectInput>;

/** For deleting and restoring. */
export const projectByIdInput = z.object({ id: z.string(), expectedVersion });

export const deletedProjectSchema = projectSchema
  .pick({ id: true, name: true, deletedAt: true })
  .meta({ id: "DeletedProject" });
