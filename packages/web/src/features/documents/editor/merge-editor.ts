import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, StateEffect, StateField, Text } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, type DecorationSet } from "@codemirror/view";
import { stringOf } from "./editor-document.ts";
import { lineFolds } from "./line-folds.ts";
import { BoundedEditorView, longWordClicks, longWordKeys } from "./long-words.ts";

/** The position of a difference between the two sides in the merged text. */
export interface MergePlace {
  readonly from: number;
  readonly to: number;
  readonly isDecided: boolean;
}

export interface MergeEditor {
  text(): string;
  /** Replaces the lines of a difference; text typed elsewhere is kept. */
  choose(index: number, lines: readonly string[]): void;
  /** Replaces the lines of all differences in one change. */
  chooseAll(inserts: readonly (readonly string[])[]): void;
  /** Scrolls a difference into view. */
  reveal(index: number): void;
  focus(): void;
  close(): void;
}

const setPlace = StateEffect.define<{ readonly index: number; readonly place: MergePlace }>();

/** An editor for a text in which certain ranges can be replaced as a whole. `onEdit` is called after each change. */
export function createMergeEditor(
  parent: HTMLElement,
  doc: Text,
  places: readonly MergePlace[],
  onEdit: () => void,
): MergeEditor {
  const field = placesField(places);
  const view = new BoundedEditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        field,
        history(),
        lineFolds,
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.updateListener.of(({ docChanged }) => docChanged && onEdit()),
        EditorView.contentAttributes.of({ "aria-label": "Merged text" }),
        EditorView.editorAttributes.of({ class: "cm-plain" }),
        longWordClicks,
        longWordKeys,
        keymap.of([...historyKeymap, ...defaultKeymap]),
      ],
    }),
  });
  return {
    text: () => stringOf(view.state.doc),
    choose: (index, lines) => {
      const place = view.state.field(field)[index];
      if (place === undefined) return;
      const { from, to } = place;
      const insert = toText(lines);
      view.dispatch({
        changes: { from, to, insert },
        effects: setPlace.of({ index, place: { from, to: from + insert.length, isDecided: true } }),
      });
    },
    chooseAll: (inserts) => {
      const all = view.state.field(field);
      const changes = all.map(({ from, to }, index) => ({ from, to, insert: toText(inserts[index] ?? []) }));
      let shift = 0;
      const effects = changes.map(({ from, to, insert }, index) => {
        const place = { from: from + shift, to: from + shift + insert.length, isDecided: true };
        shift += insert.length - (to - from);
        return setPlace.of({ index, place });
      });
      view.dispatch({ changes, effects });
    },
    reveal: (index) => {
      const place = view.state.field(field)[index];
      if (place !== undefined) view.dispatch({ effects: EditorView.scrollIntoView(place.from, { y: "center" }) });
    },
    focus: () => view.focus(),
    close: () => view.destroy(),
  };
}

/** Each line ends with a line break. */
function toText(lines: readonly string[]): Text {
  return lines.length === 0 ? Text.empty : Text.of([...lines, ""]);
}

function placesField(places: readonly MergePlace[]): StateField<readonly MergePlace[]> {
  return StateField.define<readonly MergePlace[]>({
    create: () => places,
    update: (current, { changes, effects, docChanged }) => {
      const chosen = new Map(
        effects.filter((effect) => effect.is(setPlace)).map(({ value }) => [value.index, value.place]),
      );
      if (!docChanged && chosen.size === 0) return current;
      return current.map((place, index) => {
        const other = chosen.get(index);
        if (other !== undefined) return other;
        return { ...place, from: changes.mapPos(place.from, 1), to: changes.mapPos(place.to, -1) };
      });
    },
    provide: (field) => EditorView.decorations.from(field, (all) => (view) => decorate(view, all)),
  });
}

/** Highlights the lines of the visible differences. */
function decorate({ state, viewport }: EditorView, places: readonly MergePlace[]): DecorationSet {
  const lines = new Map<number, string>();
  for (const { from, to, isDecided } of places) {
    const name = isDecided ? "cm-merge-decided" : "cm-merge-open";
    for (let position = Math.max(from, viewport.from); position < Math.min(to, viewport.to);) {
      const line = state.doc.lineAt(position);
      lines.set(line.from, name);
      position = line.to + 1;
    }
  }
  const sorted = [...lines].toSorted(([a], [b]) => a - b);
  return Decoration.set(sorted.map(([from, name]) => Decoration.line({ class: name }).range(from)));
}
