import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";
import type { ExpectedVersions } from "../../platform/entity-version.ts";
import type { PageRange } from "../../platform/paging.ts";
import type { Project, UpdateProject } from "./project.schema.ts";

const PROJECT = {
  id: column.uuid,
  name: column.text,
  color: column.text,
  description: column.text.nullable,
  createdAt: column.timestamp,
  modifiedAt: column.timestamp,
  deletedAt: column.timestamp.nullable,
  version: column.text.neverNull,
};

const COLUMNS = `
  id, name, color, description, created_at AS "createdAt", modified_at AS "modifiedAt", deleted_at AS "deletedAt",
  version::text`;

const projectsByName = defineQuery({
  name: "select-projects",
  row: PROJECT,
  isPrepared: true,
  text: `
    SELECT ${COLUMNS} FROM projects
    WHERE ($1 OR deleted_at IS NULL)
      AND ($3::uuid IS NULL OR (name COLLATE "und-x-icu", id) > ($2::text COLLATE "und-x-icu", $3))
    ORDER BY name COLLATE "und-x-icu", id LIMIT $4`,
});

/** In natural alphabetical order: letters before case, accented letters next to their base letter. */
export function selectProjects(
  db: Queryable,
  includeDeleted: boolean,
  { limit, after }: PageRange<readonly [name: string, id: string]>,
): Promise<Project[]> {
  return projectsByName.all(db, [includeDeleted, after?.[0], after?.[1], limit]);
}

const activeProjectNames = defineQuery({
  name: "select-active-project-names",
  row: { id: column.uuid, name: column.text },
  isPrepared: true,
  text: `SELECT id, name FROM projects WHERE deleted_at IS NULL`,
});

/** The names of all projects that are not deleted, to find one in a text. */
export function selectActiveProjectNames(db: Queryable): Promise<{ id: string; name: string }[]> {
  return activeProjectNames.all(db, []);
}

const projectById = defineQuery({
  name: "select-project",
  row: PROJECT,
  isPrepared: true,
  text: `SELECT ${COLUMNS} FROM projects WHERE id = $1`,
});

/** One project, deleted or not; null if there is none. */
export function selectProject(db: Queryable, id: string): Promise<Project | null> {
  return projectById.first(db, [id]);
}

const newProject = defineQuery({
  name: "insert-project",
  row: PROJECT,
  text: `
    INSERT INTO projects (id, name, color, description, created_at, modified_at) VALUES ($1, $2, $3, $4, $5, $5)
    ON CONFLICT (id) DO NOTHING RETURNING ${COLUMNS}`,
});

/** Returns null and stores nothing if there is a project with this id. */
export function insertProject(
  db: Queryable,
  {
    id,
    name,
    color,
    description,
    createdAt,
  }: Pick<Project, "id" | "name" | "color" | "description"> & { createdAt: Date },
): Promise<Project | null> {
  return newProject.first(db, [id, name, color, description, createdAt]);
}

/** The fields to change; undefined fields stay unchanged. */
export interface ProjectChange extends Pick<UpdateProject, "name" | "color" | "description"> {
  /** Null if no field changes: then the version stays, too. */
  readonly modifiedAt: Date | null;
}

const changedProject = defineQuery({
  name: "update-project",
  row: PROJECT,
  text: `
    UPDATE projects SET name = COALESCE($3, name), color = COALESCE($4, color),
      description = CASE WHEN $5 THEN $6 ELSE description END,
      modified_at = COALESCE($7, modified_at), version = version + CASE WHEN $7::timestamptz IS NULL THEN 0 ELSE 1 END
    WHERE id = $1 AND deleted_at IS NULL AND ($2::integer[] IS NULL OR version = ANY($2))
    RETURNING ${COLUMNS}`,
});

/** Changes an active project with one of the expected versions. Returns null if there is none. */
export function updateProject(
  db: Queryable,
  { id, versions }: { id: string; versions: ExpectedVersions },
  { name, color, description, modifiedAt }: ProjectChange,
): Promise<Project | null> {
  const values = [name ?? null, color ?? null, description !== undefined, description ?? null, modifiedAt];
  return changedProject.first(db, [id, versions, ...values]);
}

const changedDeletion = defineQuery({
  name: "set-project-deleted-at",
  row: PROJECT,
  text: `
    UPDATE projects SET deleted_at = $3, version = version + 1
    WHERE id = $1 AND (deleted_at IS NULL) <> ($3::timestamptz IS NULL) AND ($2::integer[] IS NULL OR version = ANY($2))
    RETURNING ${COLUMNS}`,
});

/**
 * Marks a project as deleted or active if it is in the other state and has one of the expected versions. Returns null
 * otherwise.
 */
export function setProjectDeletedAt(
  db: Queryable,
  { id, versions, deletedAt }: { id: string; versions: ExpectedVersions; deletedAt: Date | null },
): Promise<Project | null> {
  return changedDeletion.first(db, [id, versions, deletedAt]);
}

const lockedActiveProject = defineCommand({
  name: "lock-active-project",
  text: "SELECT FROM projects WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE",
});

/** Whether a project exists and is not deleted. Within a transaction, this stays so until its end. */
export async function isActiveProject(db: Queryable, id: string): Promise<boolean> {
  return (await lockedActiveProject.run(db, [id])) === 1;
}
