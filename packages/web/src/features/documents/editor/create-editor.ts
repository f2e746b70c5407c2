import { history } from "@codemirror/commands";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Annotation, Compartment, EditorState, Transaction, type Extension, type Text } from "@codemirror/state";
import { drawSelection, EditorView, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Connection } from "../../../api/connection.ts";
import { minimalReplacement } from "../document-text.ts";
import type { LazyText } from "../session/lazy-text.ts";
import { blockPreview } from "./block-preview.ts";
import { calmMarkdown } from "./calm-markdown.ts";
import { codeColours } from "./code-colours.ts";
import { stringOf, toDocument } from "./editor-document.ts";
import { editorKeys, type EditorCommands } from "./editor-keys.ts";
import { serverConnection } from "./inline-widgets.ts";
import { lineFolds } from "./line-folds.ts";
import { BoundedEditorView, longWordClicks, longWordKeys } from "./long-words.ts";
import { noteCompletion } from "./note-completion.ts";
import { livePreview } from "./live-preview.ts";
import { noteCommands, type NoteCommands } from "./note-commands.ts";
import { noteContext, type NoteContext } from "./note-context.ts";
import { pasteHtml } from "./paste-html.ts";
import { search } from "./search.ts";
import { tagMarks } from "./tag-marks.ts";
import { visiblePlace } from "./text-place.ts";

/** Marks a change that came from outside, not from the keyboard. */
const fromOutside = Annotation.define<true>();

export interface EditorOptions extends EditorCommands {
  readonly parent: HTMLElement;
  readonly doc: Text;
  /** The text that `doc` was created from. */
  readonly text: LazyText;
  readonly label: string;
  readonly isMarkdown: boolean;
  readonly isReadOnly: boolean;
  readonly context: NoteContext;
  /** What the slash menu can do besides inserting text. */
  readonly commands: NoteCommands;
  readonly connection: Connection;
  /** `from` is the text that was edited: the last one that was set, or passed here. */
  onEdit(text: LazyText, from: LazyText): void;
  onLeave(): void;
  onOpenLink(target: string): void;
  onOpenTag(tag: string): void;
  /** Files that were pasted or dropped into the text. */
  onFiles(files: readonly File[]): void;
}

export interface Editor {
  readonly view: EditorView;
  /** Shows a text unless it is the one that `onEdit` received last. The caret stays in place if possible. */
  setText(text: LazyText): void;
  setContext(context: NoteContext): void;
  /** Replaces the selection with a text, or inserts it at the caret. */
  insert(text: string): void;
  /** The caret, if it is visible and the editor has the focus; otherwise the first visible position. */
  place(): number;
  /** Puts the caret at a position, and shows it at the top. */
  show(position: number): void;
  close(): void;
}

export function createEditor(options: EditorOptions): Editor {
  const context = new Compartment();
  let known = options.text;
  const onEdit = (doc: Text): void => {
    const from = known;
    known = toLazyText(doc);
    options.onEdit(known, from);
  };
  const view = new BoundedEditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.doc,
      extensions: [extensionsOf(options, onEdit), context.of(noteContext.of(options.context))],
    }),
  });
  return {
    view,
    setText: (text) => {
      if (text === known) return;
      known = text;
      const changes = minimalReplacement(stringOf(view.state.doc), text.toString());
      if (changes === null) return;
      view.dispatch({
        changes: { ...changes, insert: toDocument(changes.insert) },
        // Undo takes back what was written here.
        annotations: [fromOutside.of(true), Transaction.addToHistory.of(false)],
      });
    },
    setContext: (next) => view.dispatch({ effects: context.reconfigure(noteContext.of(next)) }),
    insert: (text) => {
      const { from, to } = view.state.selection.main;
      view.dispatch({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        userEvent: "input",
      });
    },
    place: () => visiblePlace(view),
    show: (position) => {
      const anchor = Math.min(position, view.state.doc.length);
      view.dispatch({
        selection: { anchor },
        effects: EditorView.scrollIntoView(anchor, { y: "start", yMargin: 16 }),
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

function extensionsOf(options: EditorOptions, onEdit: (doc: Text) => void): Extension {
  const { isMarkdown, isReadOnly, label, onLeave } = options;
  return [
    longWordClicks,
    longWordKeys,
    editorKeys(options, isMarkdown),
    history(),
    search,
    lineFolds,
    drawSelection(),
    EditorView.lineWrapping,
    EditorState.readOnly.of(isReadOnly),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-description": "Tab indents. Escape and then Tab leaves the text.",
      spellcheck: isMarkdown ? "true" : "false",
    }),
    EditorView.editorAttributes.of({ class: isMarkdown ? "cm-note" : "cm-plain" }),
    EditorView.updateListener.of((update) => {
      const isOwn = !update.transactions.some((transaction) => transaction.annotation(fromOutside) === true);
      if (update.docChanged && isOwn) onEdit(update.state.doc);
      if (update.focusChanged && !update.view.hasFocus) onLeave();
    }),
    isMarkdown ? markdownExtensions(options) : [],
  ];
}

function markdownExtensions(options: EditorOptions): Extension {
  return [
    calmMarkdown(),
    syntaxHighlighting(highlighting),
    codeColours,
    EditorView.perLineTextDirection.of(true),
    noteCommands.of(options.commands),
    noteCompletion,
    tagMarks,
    serverConnection.of(options.connection),
    livePreview,
    blockPreview,
    pasteHtml(),
    placeholder("Write, type [[ to link a note, or / for more"),
    EditorView.domEventHandlers(filesAndLinks(options)),
  ];
}

function toLazyText(doc: Text): LazyText {
  return {
    length: doc.length,
    slice: (from, to) => doc.sliceString(from, to),
    toString: () => stringOf(doc),
  };
}

/** Only styles what live preview does not decorate. */
const highlighting = HighlightStyle.define([
  { tag: tags.escape, class: "cm-mark" },
  { tag: tags.character, class: "cm-code" },
]);

function filesAndLinks(options: EditorOptions): Parameters<typeof EditorView.domEventHandlers>[0] {
  const { onFiles, onOpenLink } = options;
  const take = (event: Event, transfer: DataTransfer | null): boolean => {
    const files = [...(transfer?.files ?? [])];
    if (files.length === 0) return false;
    event.preventDefault();
    onFiles(files);
    return true;
  };
  return {
    // Spreadsheets offer a picture of their cells, too.
    paste: (event) =>
      !/<table[\s>]/i.test(event.clipboardData?.getData("text/html") ?? "") && take(event, event.clipboardData),
    drop: (event, view) => {
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (position !== null && event.dataTransfer?.files.length !== 0)
        view.dispatch({ selection: { anchor: position } });
      return take(event, event.dataTransfer);
    },
    click: (event) => {
      const { target } = event;
      const tag = target instanceof Element ? target.closest<HTMLElement>("[data-tag]")?.dataset["tag"] : undefined;
      // A click puts the caret into a tag; with the key of the system, its files are listed.
      if (tag !== undefined && (event.metaKey || event.ctrlKey)) {
        event.preventDefault();
        options.onOpenTag(tag);
        return true;
      }
      const link = target instanceof Element ? target.closest<HTMLElement>("[data-link]") : null;
      const address = link?.dataset["link"];
      if (link === null || address === undefined || event.button !== 0 || event.altKey) return false;
      event.preventDefault();
      onOpenLink(address);
      return true;
    },
  };
}
