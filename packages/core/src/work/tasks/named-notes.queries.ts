import { defineCommand, type Queryable } from "@workspace/db";

/** A note that the description of a task names. */
export interface NamedNote {
  readonly id: string;
  readonly title: string;
}

const namedNotes = defineCommand({
  name: "replace-named-notes",
  text: `
    WITH named AS (SELECT id, title FROM jsonb_to_recordset($2) AS n (id uuid, title text)),
    removed AS (
      DELETE FROM task_links WHERE task_id = $1 AND kind = 'note' AND NOT is_set AND target_id NOT IN (SELECT id FROM named)
    ),
    unnamed AS (
      UPDATE task_links SET is_named = false
      WHERE task_id = $1 AND kind = 'note' AND is_set AND is_named AND target_id NOT IN (SELECT id FROM named)
    )
    INSERT INTO task_links (task_id, kind, target_id, title, is_set, is_named, created_at)
    SELECT $1, 'note', id, title, false, true, now() FROM named
    ON CONFLICT (task_id, kind, target_id) DO UPDATE SET is_named = true`,
});

/** Records which notes the description of a task names now. Those that were linked otherwise stay. */
export async function replaceNamedNotes(db: Queryable, taskId: string, notes: readonly NamedNote[]): Promise<void> {
  await namedNotes.run(db, [taskId, JSON.stringify(notes)]);
}
