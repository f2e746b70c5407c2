import { column, defineCommand, defineQuery, type PoolClient, type Queryable } from "@workspace/db";
import type { Attachment } from "./conversation.schema.ts";

/** A file that was uploaded for a message, with its content. */
export interface StoredAttachment extends Attachment {
  readonly content: Buffer;
}

const newAttachment = defineCommand({
  name: "insert-chat-attachment",
  text: `
    INSERT INTO chat_attachments (id, creator_id, name, media_type, size_bytes, content, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
});

export async function insertAttachment(
  db: Queryable,
  { id, name, mediaType, size, content, creatorId, now }: StoredAttachment & { creatorId: string; now: Date },
): Promise<void> {
  await newAttachment.run(db, [id, creatorId, name, mediaType, size, content, now]);
}

const attachmentsByIds = defineQuery({
  name: "select-chat-attachments",
  row: {
    id: column.uuid,
    name: column.text,
    mediaType: column.text,
    size: column.integer,
    content: column.bytes,
  },
  text: `
    SELECT id, name, media_type AS "mediaType", size_bytes AS size, content FROM chat_attachments
    WHERE id = ANY($1::uuid[])`,
});

/** Those of the attachments that exist, in the order of their ids. */
export async function selectAttachments(db: Queryable, ids: readonly string[]): Promise<StoredAttachment[]> {
  return inOrder(ids, await attachmentsByIds.all(db, [ids]));
}

/** A file that comes with a message, as far as its text has to be known. */
export interface AttachedFile extends Attachment {
  /** Null for an image. */
  readonly text: Buffer | null;
}

const attachedFiles = defineQuery({
  name: "select-attached-files",
  row: {
    id: column.uuid,
    name: column.text,
    mediaType: column.text,
    size: column.integer,
    text: column.bytes.nullable,
  },
  text: `
    SELECT id, name, media_type AS "mediaType", size_bytes AS size,
      CASE WHEN media_type = 'text/plain' THEN content END AS text
    FROM chat_attachments WHERE id = ANY($1::uuid[])`,
});

/** Those of the files that exist, in the order of their ids, without the bytes of images. */
export async function selectAttachedFiles(db: Queryable, ids: readonly string[]): Promise<AttachedFile[]> {
  return inOrder(ids, await attachedFiles.all(db, [ids]));
}

function inOrder<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

const takenAttachments = defineCommand({
  name: "take-chat-attachments",
  text: `
    UPDATE chat_attachments SET conversation_id = $1
    WHERE id = ANY($2::uuid[]) AND (conversation_id IS NULL OR conversation_id = $1)`,
});

/** Makes attachments part of a conversation. Returns how many there are that are not part of another one. */
export function takeAttachments(db: PoolClient, conversationId: string, ids: readonly string[]): Promise<number> {
  return takenAttachments.run(db, [conversationId, ids]);
}

const unsentAttachments = defineCommand({
  name: "delete-unsent-chat-attachments",
  text: "DELETE FROM chat_attachments WHERE conversation_id IS NULL AND created_at < $1",
});

/** Deletes attachments from before a time that were never sent. */
export async function deleteUnsentAttachments(db: Queryable, before: Date): Promise<void> {
  await unsentAttachments.run(db, [before]);
}
