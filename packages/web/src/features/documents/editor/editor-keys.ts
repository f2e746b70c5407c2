import { acceptCompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { deleteMarkupBackward } from "@codemirror/lang-markdown";
import { indentUnit } from "@codemirror/language";
import { Prec, type Extension } from "@codemirror/state";
import { keymap, type Command, type EditorView, type KeyBinding } from "@codemirror/view";
import { SHORTCUT_KEYS, type ShortcutId } from "../../../shortcuts/shortcut-keys.ts";
import { toggleMarks, toggleTask } from "./formatting.ts";
import { breakLine } from "./line-breaks.ts";
import { searchKeys } from "./search.ts";

const LIST_LINE = /^\s*(?:[-*+]|\d+[.)])\s/;

/** The actions of keys that concern more than the text. */
export interface EditorCommands {
  save(): void;
  toggleReading(): void;
}

/** The key bindings of the editor. Those in the shortcut table are taken from there. */
export function editorKeys({ save, toggleReading }: EditorCommands, isMarkdown: boolean): Extension {
  const always = [
    bind("saveNow", () => save()),
    bind("readingView", () => toggleReading()),
    { key: "Tab", run: indent, shift: indentLess },
    { key: "Escape", run: leave },
  ];
  const writing = [
    bind("bold", toggleMarks("**")),
    bind("italic", toggleMarks("*")),
    bind("taskLine", toggleTask),
    { key: "Tab", run: acceptCompletion },
    { key: "Enter", run: breakLine },
    { key: "Backspace", run: deleteMarkupBackward },
  ];
  return [
    keymap.of(completionKeymap),
    Prec.high(keymap.of(isMarkdown ? writing : [])),
    keymap.of([...searchKeys, ...historyKeymap, ...always, ...defaultKeymap]),
  ];
}

/** The shortcut's keys in CodeMirror's spelling: `mod+b` is `Mod-b`. */
function bind(id: ShortcutId, run: Command | (() => void)): KeyBinding {
  const key = SHORTCUT_KEYS[id][0].replaceAll("+", "-").replace("mod", "Mod").replace("shift", "Shift");
  return { key: key.replace("enter", "Enter"), run: (view) => run(view) !== false, preventDefault: true };
}

/** Tab indents list items and selections, and elsewhere inserts an indentation at the caret. */
const indent: Command = (view) => {
  const { doc, selection, readOnly } = view.state;
  const { main, ranges } = selection;
  const isOfLines = ranges.some(({ empty }) => !empty) || LIST_LINE.test(doc.lineAt(main.head).text);
  if (isOfLines || readOnly) return indentMore(view);
  const spaces = view.state.replaceSelection(view.state.facet(indentUnit));
  view.dispatch(view.state.update(spaces, { scrollIntoView: true, userEvent: "input" }));
  return true;
};

/** Leaves editing: Tab then moves to the next control, and another Escape leaves the document. */
function leave(view: EditorView): boolean {
  view.contentDOM.blur();
  return true;
}
