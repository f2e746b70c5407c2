import type { Db } from "@workspace/db";
import * as z from "zod";
import type { Clock } from "../platform/clock.ts";
import { parseExpectedVersions, staleVersion } from "../platform/entity-version.ts";
import { InvalidInputError, NotFoundError } from "../platform/errors.ts";
import type { EventBus } from "../platform/events.ts";
import { isUuid, type IdGenerator } from "../platform/ids.ts";
import { createCursors, cursorText, rowsFor, toPage, type Page } from "../platform/paging.ts";
import { selectProjects } from "./project.queries.ts";
import type { CreateProject, ListProjects, Project, UpdateProject } from "./project.schema.ts";

const cursors = createCursors("projects", z.tuple([cursorText, z.uuid()]));

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
    if (row === null) throw noSuchProject();
    return toProject(row);
  }

  /**
   * Changes a project in one statement where it is in the given state and has an expected version. Null where it is in the
   * other state; throws {@link NotFoundError}, and PreconditionFailedError for another version.
   */
  async function change(
    { id, expectedVersion, isDeleted }: ProjectById & { isDeleted: boolean },
    data: ProjectChange,
  ): Promise<ProjectRow | null> {
    if (!isUuid(id)) throw noSuchProject();
    const versions = parseExpectedVersions(expectedVersion);
    const where = {
      id,
      deletedAt: isDeleted ? { not: null } : null,
      ...(versions !== null && { version: { in: [...versions] } }),
    };
    const [row] = await projects.updateManyAndReturn({ where, data: { ...data, version: { increment: 1 } } });
    if (row !== undefined) return row;
    const now = await get(id);
    if (versions !== null && !versions.includes(Number(now.version))) throw staleVersion();
    return null;
  }

  return {
    /** Alphabetically by name. */
    async list({ limit, cursor, includeDeleted = false }: ListProjects): Promise<Page<Project>> {
      const after = cursors.read(cursor, { includeDeleted });
      const rows = await selectProjects(db.pool, includeDeleted, { limit: rowsFor(limit), after });
      return toPage(rows, limit, ({ name, id }) => cursors.write([name, id], { includeDeleted }));
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

    /**
     * Changes what is given and nothing else. Throws {@link NotFoundError}; {@link InvalidInputError} when deleted;
     * PreconditionFailedError where `expectedVersion` does not match.
     */
    async update({ id, name, color, description, expectedVersion }: UpdateProject): Promise<Project> {
      const data = {
        ...(name !== undefined && { name }),
        ...(color !== undefined && { color }),
        ...(description !== undefined && { description }),
        modifiedAt: clock.now(),
      };
      const row = await change({ id, expectedVersion, isDeleted: false }, data);
      if (row === null) throw new InvalidInputError("The project is deleted. Restore it before changing it.");
      publish("edit", row);
      return toProject(row);
    },

    /** Idempotent: a project that is deleted already keeps the time of its deletion. Otherwise throws as `update`. */
    async delete({ id, expectedVersion }: ProjectById): Promise<Project> {
      const row = await change({ id, expectedVersion, isDeleted: false }, { deletedAt: clock.now() });
      if (row === null) return get(id);
      publish("delete", row);
      return toProject(row);
    },

    /** Undoes a deletion; for the dashboard alone, the contract has no such endpoint. Throws as `update`. */
    async restore({ id, expectedVersion }: ProjectById): Promise<Project> {
      const row = await change({ id, expectedVersion, isDeleted: true }, { deletedAt: null });
      if (row === null) throw new InvalidInputError("The project is not deleted.");
      publish("restore", row);
      return toProject(row);
    },
  };
}

type ProjectById = Pick<UpdateProject, "id" | "expectedVersion">;

/** What a change writes. */
type ProjectChange = Partial<Pick<ProjectRow, "name" | "color" | "description" | "modifiedAt" | "deletedAt">>;

interface ProjectRow extends Omit<Project, "createdAt" | "modifiedAt" | "deletedAt" | "version"> {
  version: number;
  createdAt: Date;
  modifiedAt: Date;
  deletedAt: Date | null;
}

function toProject(row: ProjectRow): Project {
  return {
    ...row,
    version: String(row.version),
    createdAt: row.createdAt.toISOString(),
    modifiedAt: row.modifiedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  };
}

function noSuchProject(): NotFoundError {
  return new NotFoundError("There is no such project.");
}
