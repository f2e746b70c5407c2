import { history } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { search } from "@codemirror/search";
import { Annotation, Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { replacementOf } from "../document-text.ts";
import { editorKeys, type EditorCommands } from "./editor-keys.ts";
import { linkCompletion } from "./link-completion.ts";
import { livePreview } from "./live-preview.ts";
import { noteContext, type NoteContext } from "./note-context.ts";
import { tablePreview } from "./table-preview.ts";

/** Marks a change that came from outside, not from the keyboard. */
const fromOutside = Annotation.define<true>();

export interface EditorOptions extends EditorCommands {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly isMarkdown: boolean;
  readonly isReadOnly: boolean;
  readonly context: NoteContext;
  onEdit(text: string): void;
  onLeave(): void;
  onOpenLink(target: string): void;
  /** Files that were pasted or dropped into the text. */
  onFiles(files: readonly File[]): void;
}

export interface Editor {
  readonly view: EditorView;
  /** Shows a text that came from elsewhere; the caret stays where it can. */
  setText(text: string): void;
  setContext(context: NoteContext): void;
  /** Puts a text in at the caret, on a line of its own if it has one. */
  insert(text: string): void;
  close(): void;
}

export function createEditor(options: EditorOptions): Editor {
  const context = new Compartment();
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [extensionsOf(options), context.of(noteContext.of(options.context))],
    }),
  });
  return {
    view,
    setText: (text) => {
      const changes = replacementOf(view.state.doc.toString(), text);
      if (changes !== null) view.dispatch({ changes, annotations: fromOutside.of(true) });
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
    close: () => view.destroy(),
  };
}

function extensionsOf(options: EditorOptions): Extension {
  const { isMarkdown, isReadOnly, label, onEdit, onLeave } = options;
  return [
    editorKeys(options, isMarkdown),
    history(),
    search({ top: true }),
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
      if (update.docChanged && isOwn) onEdit(update.state.doc.toString());
      if (update.focusChanged && !update.view.hasFocus) onLeave();
    }),
    isMarkdown ? markdownExtensions(options) : [],
  ];
}

function markdownExtensions(options: EditorOptions): Extension {
  return [
    markdown({ base: markdownLanguage, addKeymap: false, completeHTMLTags: false }),
    syntaxHighlighting(highlighting),
    linkCompletion,
    livePreview,
    tablePreview,
    placeholder("Write, or type [[ to link a note"),
    EditorView.domEventHandlers(filesAndLinks(options)),
  ];
}

/** Only what live preview does not decorate. */
const highlighting = HighlightStyle.define([
  { tag: tags.escape, class: "cm-mark" },
  { tag: tags.character, class: "cm-code" },
]);

function filesAndLinks({ onFiles, onOpenLink }: EditorOptions): Parameters<typeof EditorView.domEventHandlers>[0] {
  const take = (event: Event, transfer: DataTransfer | null): boolean => {
    const files = [...(transfer?.files ?? [])];
    if (files.length === 0) return false;
    event.preventDefault();
    onFiles(files);
    return true;
  };
  return {
    paste: (event) => take(event, event.clipboardData),
    drop: (event, view) => {
      const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (position !== null && event.dataTransfer?.files.length !== 0)
        view.dispatch({ selection: { anchor: position } });
      return take(event, event.dataTransfer);
    },
    click: (event) => {
      const { target } = event;
      const link = target instanceof Element ? target.closest<HTMLElement>("[data-link]") : null;
      const address = link?.dataset["link"];
      if (link === null || address === undefined || event.button !== 0 || event.altKey) return false;
      event.preventDefault();
      onOpenLink(address);
      return true;
    },
  };
}
