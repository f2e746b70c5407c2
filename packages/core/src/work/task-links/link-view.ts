import type { Principal } from "../../platform/procedures/principal.ts";

/** What of the links of tasks a caller may see. */
export interface LinkView {
  /** Whether it may see a note with this path; null if the note is gone for good. */
  readonly showsNote: (path: string | null) => boolean;
  readonly showsConversations: boolean;
}

export const ALL_LINKS: LinkView = { showsNote: () => true, showsConversations: true };

/** A key sees the notes that it may read, and no conversations. */
export function linkViewOf(principal: Principal): LinkView {
  if (principal.kind === "user") return ALL_LINKS;
  const { scopes, folder } = principal;
  const showsNote = (path: string | null) =>
    scopes.has("knowledge:read") && (folder === undefined || path?.startsWith(`${folder}/`) === true);
  return { showsNote, showsConversations: false };
}
