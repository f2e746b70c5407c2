import { useNavigate } from "@tanstack/react-router";
import { publicUrlOf } from "../../../browser/base-path.ts";
import { useClient } from "../../../client/use-client.ts";
import { useShowDocument } from "../document-url.ts";
import { isElsewhere, type NoteContext } from "../editor/note-context.ts";
import { createNote } from "../vault/vault-actions.ts";
import { nameOf, parentOf } from "../vault/vault-path.ts";
import { pathForNewNote, resolveLink } from "./wiki-links.ts";

/** Follows a link: to an external page in a new tab, to an existing note, or to a new note created on the spot. */
export function useLinkOpener({ path, links }: NoteContext): (target: string) => void {
  const client = useClient();
  const open = useShowDocument();
  const navigate = useNavigate();
  return (target) => {
    if (isElsewhere(target)) {
      const ownUrl = publicUrlOf("");
      const ownPath = target.startsWith(`${ownUrl}/`) ? target.slice(ownUrl.length) : null;
      if (ownPath !== null) void navigate({ href: ownPath });
      else if (/^(https?|mailto):/i.test(target)) window.open(target, "_blank", "noopener");
      return;
    }
    const found = resolveLink(target, path, links);
    if (found !== null) {
      open(found.id);
      return;
    }
    const newPath = pathForNewNote(target, path);
    if (newPath === null) return;
    void createNote(client, parentOf(newPath), nameOf(newPath)).then((note) => {
      if (note !== null) open(note.id);
    });
  };
}
