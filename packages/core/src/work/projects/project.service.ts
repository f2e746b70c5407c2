import * as z from "zod";
import type { Deps } from "../../platform/deps.ts";
import { assertVersion, parseExpectedVersions, type ExpectedVersions } from "../../platform/entity-version.ts";
import { InvalidInputError, NotFoundError } from "../../platform/errors.ts";
import { givesFields } from "../../platform/given-fields.ts";
import { isUuid } from "../../platform/ids.ts";
import { createPager, cursorText, type Page } from "../../platform/paging.ts";
import { insertProject, selectProject, selectProjects, setProjectDeletedAt, updateProject } from "./project.queries.ts";
import type { CreateProject, ListProjects, Project, UpdateProject } from "./project.schema.ts";

const readPage = createPager("projects", z.tuple([cursorText, z.uuid()]), ({ name, id }: Project) => [name, id]);

export type ProjectServiceDeps = Deps<"db" | "clock" | "ids" | "events">;

export type ProjectService = ReturnType<typeof createProjectService>;

/** Projects group tasks and documents, which remain assigned to a project when it is deleted. */
export function createProjectService({ db, clock, ids, events }: ProjectServiceDeps) {
  const publish = (action: "create" | "edit" | "delete" | "restore", project: { id: string; name: string }) =>
    events.publish({ resource: "project", action, resourceId: project.id, resourceName: project.name });

  async function get(id: string): Promise<Project> {
    const project = isUuid(id) ? await selectProject(db.pool, id) : null;
    if (project === null) throw noSuchProject();
    return project;
  }

  /**
   * Runs a statement that changes a project in a certain state with one of the given versions. Returns null if it is in another
   * state. Throws {@link NotFoundError}, and PreconditionFailedError for another version.
   */
  async function change(
    { id, expectedVersion }: ProjectById,
    run: (versions: ExpectedVersions) => Promise<Project | null>,
  ): Promise<Project | null> {
    if (!isUuid(id)) throw noSuchProject();
    const versions = parseExpectedVersions(expectedVersion);
    const changed = await run(versions);
    if (changed !== null) return changed;
    const { version } = await get(id);
    assertVersion(versions, Number(version));
    return null;
  }

  const setDeletedAt = (project: ProjectById, deletedAt: Date | null): Promise<Project | null> =>
    change(project, (versions) => setProjectDeletedAt(db.pool, { id: project.id, versions, deletedAt }));

  return {
    /** Alphabetically by name. */
    async list({ limit, cursor, includeDeleted = false }: ListProjects): Promise<Page<Project>> {
      return readPage({ limit, cursor, filter: { includeDeleted } }, (range) =>
        selectProjects(db.pool, includeDeleted, range),
      );
    },

    /** Includes deleted projects. Throws {@link NotFoundError}. */
    get,

    /** Creates a project, only once for each id that the caller chooses: later calls return it as it is now. */
    async create({ id = ids(), name, color, description = null }: CreateProject): Promise<Project> {
      const project = await insertProject(db.pool, { id, name, color, description, createdAt: clock.now() });
      if (project === null) return get(id);
      publish("create", project);
      return project;
    },

    /**
     * Changes only the fields given. Throws {@link NotFoundError}, {@link InvalidInputError} if the project is deleted, and
     * PreconditionFailedError if `expectedVersion` does not match.
     */
    async update({ id, expectedVersion, ...patch }: UpdateProject): Promise<Project> {
      const hasChanged = givesFields(patch);
      const values = { ...patch, modifiedAt: hasChanged ? clock.now() : null };
      const project = await change({ id, expectedVersion }, (versions) =>
        updateProject(db.pool, { id, versions }, values),
      );
      if (project === null) throw new InvalidInputError("The project is deleted. It can be restored in the dashboard.");
      if (hasChanged) publish("edit", project);
      return project;
    },

    /** Idempotent: a project that is already deleted keeps its deletion time. Otherwise throws like `update`. */
    async delete(target: ProjectById): Promise<Project> {
      const project = await setDeletedAt(target, clock.now());
      if (project === null) return get(target.id);
      publish("delete", project);
      return project;
    },

    /** Undoes a deletion. Only for the dashboard: the contract has no such endpoint. Throws like `update`. */
    async restore(target: ProjectById): Promise<Project> {
      const project = await setDeletedAt(target, null);
      if (project === null) throw new InvalidInputError("The project is not deleted.");
      publish("restore", project);
      return project;
    },
  };
}

type ProjectById = Pick<UpdateProject, "id" | "expectedVersion">;

function noSuchProject(): NotFoundError {
  return new NotFoundError("There is no such project.");
}
