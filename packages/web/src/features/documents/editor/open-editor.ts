import { clientPart } from "../../../client/client-part.ts";
import type { Editor } from "./create-editor.ts";

/** The editor of the note that is open for writing, for commands from elsewhere; null if there is none. */
export const openEditor = clientPart((): { current: Editor | null } => ({ current: null }));

/** Inserts lines where the caret is, after the line if there is something in it. */
export function insertLines({ view, insert }: Editor, text: string): void {
  const line = view.state.doc.lineAt(view.state.selection.main.head);
  if (line.length > 0) view.dispatch({ selection: { anchor: line.to } });
  insert(`${line.length > 0 ? "\n" : ""}${text}`);
  view.focus();
}
