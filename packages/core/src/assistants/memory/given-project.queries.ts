import { column, defineQuery, type Queryable } from "@workspace/db";

const projectsOfFolders = defineQuery({
  name: "select-projects-of-folders",
  isPrepared: true,
  row: { folder: column.text, project: column.text },
  text: `SELECT folder, project FROM project_folders WHERE folder = ANY($1::text[]) ORDER BY length(folder) DESC`,
});

/** The projects that sessions last had in folders, the innermost folder first. */
export function selectProjectsOfFolders(
  db: Queryable,
  folders: readonly string[],
): Promise<{ folder: string; project: string }[]> {
  return projectsOfFolders.all(db, [folders]);
}

const exactProject = defineQuery({
  name: "select-exact-project",
  isPrepared: true,
  row: { name: column.text.nullable },
  text: `
    SELECT COALESCE(
      (SELECT project_path FROM memory_chunks WHERE project_path = $1 LIMIT 1),
      (SELECT project FROM project_folders WHERE project = $1 LIMIT 1),
      (SELECT project_path FROM session_transcripts WHERE project_path = $1 LIMIT 1)) AS name`,
});

/** Whether a project is stored under exactly this name. */
export async function isProjectName(db: Queryable, name: string): Promise<boolean> {
  return (await exactProject.one(db, [name])).name !== null;
}

/** SQL of the names of the projects of memories: of the many memories only these are read, one after the other from the index. */
export const PROJECTS_OF_MEMORIES = `
  of_memories AS (
    (SELECT project_path AS name FROM memory_chunks WHERE project_path IS NOT NULL ORDER BY project_path LIMIT 1)
    UNION ALL
    SELECT (SELECT project_path FROM memory_chunks WHERE project_path > name ORDER BY project_path LIMIT 1)
    FROM of_memories WHERE name IS NOT NULL
  )`;

const projectNames = defineQuery({
  name: "select-project-names",
  row: { name: column.text.neverNull },
  text: `
    WITH RECURSIVE ${PROJECTS_OF_MEMORIES}
    SELECT name FROM (
      SELECT name, NULL AS seen_at FROM of_memories
      UNION ALL SELECT project_path, max(updated_at) FROM session_transcripts GROUP BY project_path
      UNION ALL SELECT project, max(seen_at) FROM project_folders GROUP BY project
    ) AS known WHERE name <> '' GROUP BY name ORDER BY max(seen_at) DESC NULLS LAST, name`,
});

/** The names of all projects of sessions and memories, those of the latest sessions first. */
export async function selectProjectNames(db: Queryable): Promise<string[]> {
  return (await projectNames.all(db)).map(({ name }) => name);
}
