import { useMemo } from "react";
import { parseStored } from "../../browser/stored-value.ts";
import { useDraft } from "../../drafts/draft.ts";
import type { Message } from "./conversation-log.ts";

/** Something of the workspace that a message mentions. */
export type Mention = Message["mentions"][number];

const KINDS = ["task", "document", "memory"] as const satisfies readonly Mention["kind"][];
const MAX_MENTIONS = 10;

/** What an unsent message mentions, kept in this browser with its text. */
export function useDraftMentions(
  draftKey: string,
): [mentions: readonly Mention[], set: (mentions: readonly Mention[]) => void] {
  const [stored, setStored] = useDraft(`${draftKey}.mentions`);
  const mentions = useMemo(() => parseStored(stored, toMentions), [stored]);
  return [mentions, (next) => setStored(next.length === 0 ? null : JSON.stringify(next))];
}

/** The mentions with one more; null if there are too many. */
export function withMention(mentions: readonly Mention[], added: Mention): readonly Mention[] | null {
  if (mentions.some(({ kind, id }) => kind === added.kind && id === added.id)) return mentions;
  return mentions.length >= MAX_MENTIONS ? null : [...mentions, added];
}

function toMentions(value: unknown): readonly Mention[] {
  return Array.isArray(value) ? value.filter(isMention) : [];
}

function isMention(value: unknown): value is Mention {
  if (typeof value !== "object" || value === null) return false;
  return (
    KINDS.some((kind) => "kind" in value && value.kind === kind) &&
    "id" in value &&
    typeof value.id === "string" &&
    "title" in value &&
    typeof value.title === "string"
  );
}
