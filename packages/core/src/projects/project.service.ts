import type { Db } from "@workspace/db";
import type { Clock } from "../platform/clock.ts";
import { InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import { isUuid, type IdGenerator } from "../platform/ids.ts";
import { selectProjects } from "./project.queries.ts";
import type { CreateProject, Project, UpdateProject } from "./project.schema.ts";

export interface ProjectServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly events: EventBus;
}

export type ProjectService = ReturnType<typeof createProjectService>;

/** Projects: names and colors that group tasks and documents, which keep their project when it is deleted. */
export function createProjectService({ db, clock, ids, events }: ProjectServiceDeps) {
  const { project: projects } = db.prisma;
  const publish = (action: "create" | "edit" | "delete" | "restore", project: { id: string; name: string }) =>
    events.publish({ resource: "project", action, resourceId: project.id, resourceName: project.name });

  async function get(id: string): Promise<Project> {
    const row = isUuid(id) ? await projects.findUnique({ where: { id } }) : null;
    if (row === null) throw new NotFoundError("There is no such project.");
    return toProject(row);
  }

  return {
    /** Alphabetically by name. */
    list({ includeDeleted = false }: { includeDeleted?: boolean | undefined }): Promise<Project[]> {
      return selectProjects(db.pool, includeDeleted);
    },

    /** Also answers a deleted project. Throws {@link NotFoundError}. */
    get,

    async create({ name, color, description = null }: CreateProject): Promise<Project> {
      const now = clock.now();
      const row = await projects.create({
        data: { id: ids(), name, color, description, createdAt: now, modifiedAt: now },
      });
      publish("create", row);
      return toProject(row);
    },

    /** Changes what is given and nothing else. Throws {@link NotFoundError}; {@link InvalidInputError} when deleted. */
    async update({ id, name, color, description }: UpdateProject): Promise<Project> {
      await get(id);
      const data = {
        ...(name !== undefined && { name }),
        ...(color !== undefined && { color }),
        ...(description !== undefined && { description }),
        modifiedAt: clock.now(),
      };
      const [row] = await projects.updateManyAndReturn({ where: { id, deletedAt: null }, data });
      if (row === undefined) throw new InvalidInputError("The project is deleted. Restore it before changing it.");
      publish("edit", row);
      return toProject(row);
    },

    /** Idempotent: a project that is deleted already keeps the time of its deletion. */
    async delete(id: string): Promise<Project> {
      const before = await get(id);
      const [row] = await projects.updateManyAndReturn({
        where: { id, deletedAt: null },
        data: { deletedAt: clock.now() },
      });
      if (row === undefined) return before.deletedAt === null ? get(id) : before;
      publish("delete", row);
      return toProject(row);
    },

    /** Undoes a deletion; for the dashboard alone, the contract has no such endpoint. */
    async restore(id: string): Promise<Project> {
      await get(id);
      const [row] = await projects.updateManyAndReturn({
        where: { id, deletedAt: { not: null } },
        data: { deletedAt: null },
      });
      if (row === undefined) throw new InvalidInputError("The project is not deleted.");
      publish("restore", row);
      return toProject(row);
    },
  };
}

interface ProjectRow extends Omit<Project, "createdAt" | "modifiedAt" | "deletedAt"> {
  createdAt: Date;
  modifiedAt: Date;
  deletedAt: Date | null;
}

function toProject(row: ProjectRow): Project {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}
