import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import { INDEXED, type IndexedMemory } from "./memory-index.queries.ts";

const folderMemories = defineQuery({
  name: "select-memories-of-folder",
  row: { ...INDEXED, isDeleted: column.boolean.neverNull },
  text: `
    SELECT id, content, source_excerpt AS "sourceExcerpt", project_path AS "projectPath", created_at AS "createdAt",
      deleted_at IS NOT NULL AS "isDeleted"
    FROM memory_chunks WHERE project_path = $1 ORDER BY id LIMIT $2 FOR UPDATE`,
});

/** Memories that are stored under a folder, also deleted ones that can be restored, locked until the transaction ends. */
export function selectFolderMemories(
  db: PoolClient,
  folder: string,
  limit: number,
): Promise<(IndexedMemory & { readonly isDeleted: boolean })[]> {
  return folderMemories.all(db, [folder, limit]);
}

const movedMemories = defineCommand({
  name: "move-memories",
  text: `
    WITH moved AS (UPDATE memory_chunks SET project_path = $2 WHERE id = ANY($1::uuid[]) RETURNING id)
    UPDATE memory_embeddings e SET project_path = $2 FROM moved WHERE e.memory_id = moved.id`,
});

/** Has memories belong to a project. They are not indexed for it. */
export async function moveMemories(db: PoolClient, ids: readonly string[], project: string): Promise<void> {
  await movedMemories.run(db, [ids, project]);
}

const leftBehind = defineQuery({
  name: "select-folders-with-memories",
  row: { folder: column.text, project: column.text },
  text: `
    SELECT folder, project FROM project_folders f
    WHERE folder <> project AND ($1::text[] IS NULL OR folder = ANY($1))
      AND EXISTS (SELECT FROM memory_chunks m WHERE m.project_path = f.folder)
    ORDER BY folder`,
});

/** Folders of other projects under which memories are stored; with folders, of these. */
export function selectFoldersWithMemories(
  db: Queryable,
  folders: readonly string[] | null,
): Promise<{ folder: string; project: string }[]> {
  return leftBehind.all(db, [folders]);
}
