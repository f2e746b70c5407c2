import { column, defineCommand, defineQuery, type Queryable } from "@workspace/db";

const PLACE = { id: column.uuid, path: column.text };

const placesLike = defineQuery({
  name: "select-daily-notes",
  row: PLACE,
  text: `
    SELECT id, path FROM documents
    WHERE deleted_at IS NULL AND file_type = 'markdown' AND starts_with(path, $1) AND substr(path, length($1) + 1) ~ $2`,
});

/** The active notes whose paths begin with a text and go on as a regular expression says. */
export function selectNotesLike(db: Queryable, start: string, rest: string): Promise<{ id: string; path: string }[]> {
  return placesLike.all(db, [start, rest]);
}

const claimed = defineQuery({
  name: "claim-note-append",
  row: { path: column.text, afterHash: column.text.nullable },
  text: `
    INSERT INTO note_appends AS a (user_id, key, path, text_hash, created_at, claimed_until) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (user_id, key) DO UPDATE SET claimed_until = excluded.claimed_until
      WHERE a.text_hash = excluded.text_hash AND NOT a.is_done AND a.claimed_until <= $5
    RETURNING path, after_hash AS "afterHash"`,
});

const known = defineQuery({
  name: "select-note-append",
  row: { textHash: column.text, isDone: column.boolean },
  text: `SELECT text_hash AS "textHash", is_done AS "isDone" FROM note_appends WHERE user_id = $1 AND key = $2`,
});

/** By whom, and with which key, a text is added. */
export interface AppendKey {
  readonly userId: string;
  readonly key: string;
}

export interface AppendClaim {
  readonly path: string;
  readonly textHash: string;
  readonly now: Date;
  readonly until: Date;
}

/**
 * Claims a key until a time. Returns null if it has another text, is done, or is claimed by another call; otherwise the note of the first
 * claim and the content that it was about to get, if that was recorded.
 */
export function claimAppend(
  db: Queryable,
  { userId, key }: AppendKey,
  { path, textHash, now, until }: AppendClaim,
): Promise<{ path: string; afterHash: string | null } | null> {
  return claimed.first(db, [userId, key, path, textHash, now, until]);
}

export function selectAppend(
  db: Queryable,
  { userId, key }: AppendKey,
): Promise<{ textHash: string; isDone: boolean } | null> {
  return known.first(db, [userId, key]);
}

const intended = defineCommand({
  name: "intend-note-append",
  text: `
    UPDATE note_appends SET path = $4, after_hash = $5
    WHERE user_id = $1 AND key = $2 AND claimed_until = $3`,
});

/** Records the content that a note is about to get. Returns false if another call has claimed the key. */
export async function intendAppend(
  db: Queryable,
  { userId, key }: AppendKey,
  { until, path, afterHash }: { readonly until: Date; readonly path: string; readonly afterHash: string },
): Promise<boolean> {
  return (await intended.run(db, [userId, key, until, path, afterHash])) === 1;
}

const ended = defineCommand({
  name: "end-note-append",
  text: "UPDATE note_appends SET is_done = $4, claimed_until = $5 WHERE user_id = $1 AND key = $2 AND claimed_until = $3",
});

/** Ends a claim: done, or free to be tried again. */
export async function endAppend(
  db: Queryable,
  { userId, key }: AppendKey,
  { until, now, isDone }: { readonly until: Date; readonly now: Date; readonly isDone: boolean },
): Promise<void> {
  await ended.run(db, [userId, key, until, isDone, now]);
}

const oldAppends = defineCommand({
  name: "delete-old-note-appends",
  text: "DELETE FROM note_appends WHERE created_at < $1",
});

export async function deleteAppendsBefore(db: Queryable, before: Date): Promise<void> {
  await oldAppends.run(db, [before]);
}

const hadContent = defineQuery({
  name: "select-had-content",
  row: { had: column.boolean.neverNull },
  text: `
    SELECT EXISTS (SELECT FROM documents WHERE path = $1 AND content_hash = $2 AND deleted_at IS NULL) OR EXISTS (
      SELECT FROM document_versions v JOIN documents d ON d.id = v.document_id
      WHERE d.path = $1 AND d.deleted_at IS NULL AND v.content_hash = $2) AS had`,
});

/** Whether a note has a content, or had it before another one. */
export async function hasHadContent(db: Queryable, path: string, hash: string): Promise<boolean> {
  return (await hadContent.first(db, [path, hash]))?.had === true;
}
