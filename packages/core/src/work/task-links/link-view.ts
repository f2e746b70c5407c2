import type { Queryable } from "@workspace/db";
import { isUuid } from "../../platform/ids.ts";
import type { Principal } from "../../platform/procedures/principal.ts";
import { selectNotesAtPaths } from "./task-links.queries.ts";
import type { NewLink } from "./task-links.schema.ts";

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

/** Names notes by their ids where they are named by paths that the caller may see. Other paths stay, and name nothing. */
export async function identifyNotes<Link extends NewLink>(
  db: Queryable,
  links: readonly Link[],
  { showsNote }: LinkView,
): Promise<Link[]> {
  const isAtPath = ({ kind, id }: NewLink) => kind === "note" && !isUuid(id) && showsNote(id);
  const paths = links.filter(isAtPath).map(({ id }) => id);
  const notes = paths.length === 0 ? [] : await selectNotesAtPaths(db, paths);
  const ids = new Map(notes.map(({ id, path }) => [path, id]));
  return links.map((link) => (isAtPath(link) ? { ...link, id: ids.get(link.id) ?? link.id } : link));
}
