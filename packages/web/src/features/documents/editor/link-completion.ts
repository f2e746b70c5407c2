import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { rankForLink } from "../links/link-ranking.ts";
import { linkTextOf, pathForNewNote, resolveLink } from "../links/wiki-links.ts";
import { shownName } from "../document.ts";
import { nameOf, parentOf, problemWithName } from "../vault/vault-path.ts";
import { noteContext, type NoteContext } from "./note-context.ts";

const OPEN_LINK = /\[\[([^[\]|#\n]*)$/;
const MAX_OFFERED = 30;

/** Offers the vault's files after `[[`. */
export function completeLink(context: CompletionContext): CompletionResult | null {
  const match = context.matchBefore(OPEN_LINK);
  if (match === null) return null;
  const note = context.state.facet(noteContext);
  const from = match.from + 2;
  const query = context.state.sliceDoc(from, context.pos);
  const options = rankForLink(note.documents, query, MAX_OFFERED).map((document): Completion => {
    const text = linkTextOf(document.path, note.links);
    return {
      label: shownName(document.path),
      detail: parentOf(document.path),
      apply: (view, _completion, start, end) => insertLink(view, text, start, end),
    };
  });
  return { from, options: [...options, ...createOption(note, query)], filter: false };
}

/** Offers to link a note that does not exist yet and is created by following the link. */
function createOption({ path, links }: NoteContext, query: string): Completion[] {
  const name = query.trim();
  const newPath = pathForNewNote(name, path);
  const isPossible = newPath !== null && !name.includes("^") && problemWithName(nameOf(newPath)) === null;
  if (name === "" || !isPossible || resolveLink(name, path, links) !== null) return [];
  return [{ label: `Create “${name}”`, apply: (view, _completion, from, to) => insertLink(view, name, from, to) }];
}

/** Inserts the target and closes the link, unless it is already closed. */
function insertLink(view: EditorView, text: string, from: number, to: number): void {
  const isClosed = view.state.sliceDoc(to, to + 2) === "]]";
  const insert = isClosed ? text : `${text}]]`;
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + text.length + 2 },
    userEvent: "input.complete",
  });
}
