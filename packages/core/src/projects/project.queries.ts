import type { Pool } from "@workspace/db";
import type { Project } from "./project.schema.ts";

/** Alphabetically, as people sort: letters before case, accents beside their base letter. */
export async function selectProjects(
  pool: Pool,
  includeDeleted: boolean,
  {
    limit,
    after = [null, null],
  }: { limit: number | undefined; after: readonly [string | null, string | null] | undefined },
): Promise<Project[]> {
  const { rows } = await pool.query<Project>({
    name: "select-projects",
    text: `
      SELECT id, name, color, description, created_at AS "createdAt", modified_at AS "modifiedAt", deleted_at AS "deletedAt",
        version::text
      FROM projects
      WHERE ($1 OR deleted_at IS NULL)
        AND ($3::uuid IS NULL OR (name COLLATE "und-x-icu", id) > ($2::text COLLATE "und-x-icu", $3))
      ORDER BY name COLLATE "und-x-icu", id LIMIT $4`,
    values: [includeDeleted, ...after, limit ?? null],
  });
  return rows;
}
