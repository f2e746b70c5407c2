import { column, defineQuery, type Queryable } from "@workspace/db";
import type { PageRange } from "../../platform/paging.ts";
import { PROJECTS_OF_MEMORIES } from "../memory/given-project.queries.ts";

const knownProjects = defineQuery({
  name: "select-known-projects",
  row: { project: column.text.neverNull },
  text: `
    WITH RECURSIVE ${PROJECTS_OF_MEMORIES}
    SELECT name AS project FROM (
      SELECT name FROM of_memories
      UNION SELECT project_path FROM session_transcripts
      UNION SELECT project FROM project_folders
    ) AS known WHERE name <> '' AND ($1::text IS NULL OR name > $1)
      AND ($3::text IS NULL OR name = $3) ORDER BY name LIMIT $2`,
});

/** The projects that sessions and memories are from, by name; with a name, that one. */
export function selectKnownProjects(
  db: Queryable,
  name: string | null,
  { limit, after }: PageRange<readonly [name: string]>,
): Promise<{ project: string }[]> {
  return knownProjects.all(db, [after?.[0], limit, name]);
}
