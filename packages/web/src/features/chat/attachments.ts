import { useQuery, type QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Client } from "../../client/client.ts";
import { useClient } from "../../client/use-client.ts";
import { parseStored } from "../../browser/stored-value.ts";
import { drafts, useDraft } from "../../drafts/draft.ts";
import type { Message } from "./conversation-log.ts";

/** A file that comes with a message. */
export type Attachment = Message["attachments"][number];

/** So many files can come with a message. */
export const MAX_ATTACHMENTS = 10;

const contentKey = (id: string) => ["conversations", "attachment", id] as const;

export const isImage = ({ mediaType }: Attachment) => mediaType.startsWith("image/");

const keyOf = (draftKey: string) => `${draftKey}.attachments`;

/** The uploaded files of an unsent message, kept in this browser with its text. */
export function useDraftAttachments(draftKey: string): readonly Attachment[] {
  const [stored] = useDraft(keyOf(draftKey));
  return useMemo(() => parseStored(stored, toAttachments), [stored]);
}

/** As {@link useDraftAttachments} has them, read once. */
export function readDraftAttachments(client: Client, draftKey: string): readonly Attachment[] {
  return parseStored(drafts(client).read(keyOf(draftKey)), toAttachments);
}

export function writeDraftAttachments(client: Client, draftKey: string, attachments: readonly Attachment[]): void {
  drafts(client).write(keyOf(draftKey), attachments.length === 0 ? null : JSON.stringify(attachments));
}

/** Makes the content known that this page has uploaded itself. */
export function keepContent(queries: QueryClient, attachment: Attachment, content: string): void {
  queries.setQueryData(contentKey(attachment.id), content);
}

/** The content of a file, in base64. It never changes. */
export function useAttachmentContent(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: contentKey(id),
    queryFn: ({ signal }) => readContent(client, id, signal),
    staleTime: "static",
    meta: { isFollowed: true },
  });
}

async function readContent(client: Client, id: string, signal: AbortSignal): Promise<string> {
  return (await client.api.conversations.attachment.query({ id }, { signal })).data.content;
}

function toAttachments(value: unknown): readonly Attachment[] {
  return Array.isArray(value) ? value.filter(isAttachment) : [];
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== "object" || value === null) return false;
  const isText = (key: string) => key in value && typeof Reflect.get(value, key) === "string";
  return isText("id") && isText("name") && isText("mediaType") && "size" in value && typeof value.size === "number";
}
