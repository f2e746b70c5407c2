import { acceptCompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { deleteMarkupBackward, insertNewlineContinueMarkup } from "@codemirror/lang-markdown";
import { searchKeymap } from "@codemirror/search";
import { Prec, type Extension } from "@codemirror/state";
import { keymap, type Command, type EditorView, type KeyBinding } from "@codemirror/view";
import { SHORTCUTS, type ShortcutId } from "../../../shortcuts/shortcut-table.ts";
import { toggleMarks, toggleTask } from "./formatting.ts";

const LIST_LINE = /^\s*(?:[-*+]|\d+[.)])\s/;

/** What keys do that concern more than the text. */
export interface EditorCommands {
  save(): void;
  toggleReading(): void;
}

/** The keys of the editor. Those in the shortcut table are read from there. */
export function editorKeys({ save, toggleReading }: EditorCommands, isMarkdown: boolean): Extension {
  const always = [
    bind("saveNow", () => save()),
    bind("readingView", () => toggleReading()),
    { key: "Escape", run: leave },
  ];
  const writing = [
    bind("bold", toggleMarks("**")),
    bind("italic", toggleMarks("*")),
    bind("taskLine", toggleTask),
    { key: "Tab", run: acceptCompletion },
    { key: "Tab", run: inLists(indentMore), shift: inLists(indentLess) },
    { key: "Enter", run: insertNewlineContinueMarkup },
    { key: "Backspace", run: deleteMarkupBackward },
  ];
  return [
    keymap.of(completionKeymap),
    Prec.high(keymap.of(isMarkdown ? writing : [])),
    keymap.of([...searchKeymap, ...historyKeymap, ...always, ...defaultKeymap]),
  ];
}

/** The shortcut's keys in CodeMirror's spelling: `mod+b` is `Mod-b`. */
function bind(id: ShortcutId, run: Command | (() => void)): KeyBinding {
  const key = SHORTCUTS[id].keys[0].replaceAll("+", "-").replace("mod", "Mod").replace("shift", "Shift");
  return { key: key.replace("enter", "Enter"), run: (view) => run(view) !== false, preventDefault: true };
}

/** Tab changes the level of a list's line; anywhere else it leaves the editor, as it leaves any field. */
function inLists(command: Command): Command {
  return (view) => {
    const { doc, selection } = view.state;
    return LIST_LINE.test(doc.lineAt(selection.main.head).text) && command(view);
  };
}

/** Steps back from writing; the next press steps back from the document. */
function leave(view: EditorView): boolean {
  view.contentDOM.blur();
  return true;
}
