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

/**
 * Of the many memories only the names of their projects are read, one after the other from the index, and only if nothing else
 * has the name.
 */
const projectSpelling = defineQuery({
  name: "select-project-spelling",
  isPrepared: true,
  row: { name: column.text.nullable },
  text: `
    SELECT COALESCE(
      (SELECT project_path FROM memory_chunks WHERE project_path = $1 LIMIT 1),
      (SELECT project_path FROM session_transcripts WHERE project_path = $1 LIMIT 1),
      (SELECT project FROM project_folders WHERE lower(project) = lower($1) ORDER BY project = $1 DESC, seen_at DESC LIMIT 1),
      (SELECT project_path FROM session_transcripts WHERE lower(project_path) = lower($1) ORDER BY updated_at DESC LIMIT 1),
      (WITH RECURSIVE names AS (
         (SELECT project_path AS name FROM memory_chunks WHERE project_path IS NOT NULL ORDER BY project_path LIMIT 1)
         UNION ALL
         SELECT (SELECT project_path FROM memory_chunks WHERE project_path > name ORDER BY project_path LIMIT 1)
         FROM names WHERE name IS NOT NULL)
       SELECT name FROM names WHERE lower(name) = lower($1) LIMIT 1)) AS name`,
});

/** The name of a project as it is stored, preferring this very spelling; null if none has it, in whatever case. */
export async function selectProjectSpelling(db: Queryable, name: string): Promise<string | null> {
  return (await projectSpelling.one(db, [name])).name;
}
