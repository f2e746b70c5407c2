import type { Author } from "@workspace/core";

/** A call of a tool in an answer. Models may use the same id in several answers. */
export interface CalledBy {
  readonly messageId: string;
  readonly toolUseId: string;
}

/** Whether a call has made a change. */
export function isBy(author: Author | null, { messageId, toolUseId }: CalledBy): boolean {
  return author?.kind === "chat" && author.messageId === messageId && author.toolUseId === toolUseId;
}
