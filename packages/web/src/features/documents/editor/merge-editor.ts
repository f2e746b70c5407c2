import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, keymap, type DecorationSet } from "@codemirror/view";

/** Where a difference of the two sides stands in the merged text. */
export interface MergePlace {
  readonly from: number;
  readonly to: number;
  readonly isDecided: boolean;
}

export interface MergeEditor {
  text(): string;
  /** Puts other lines in the place of a difference; what was typed elsewhere stays. */
  choose(index: number, insert: string): void;
  /** Brings a difference into sight. */
  reveal(index: number): void;
  close(): void;
}

const setPlace = StateEffect.define<{ readonly index: number; readonly place: MergePlace }>();

/** A text to edit in which some places can be exchanged as a whole. */
export function createMergeEditor(parent: HTMLElement, text: string, places: readonly MergePlace[]): MergeEditor {
  const field = placesField(places);
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        field,
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "Merged text" }),
        EditorView.editorAttributes.of({ class: "cm-plain" }),
        keymap.of([...historyKeymap, ...defaultKeymap]),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    choose: (index, insert) => {
      const place = view.state.field(field)[index];
      if (place === undefined) return;
      const { from, to } = place;
      view.dispatch({
        changes: { from, to, insert },
        effects: setPlace.of({ index, place: { from, to: from + insert.length, isDecided: true } }),
      });
    },
    reveal: (index) => {
      const place = view.state.field(field)[index];
      if (place !== undefined) view.dispatch({ effects: EditorView.scrollIntoView(place.from, { y: "center" }) });
    },
    close: () => view.destroy(),
  };
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

function decorate({ state }: EditorView, places: readonly MergePlace[]): DecorationSet {
  const lines = new Map<number, string>();
  for (const { from, to, isDecided } of places) {
    const name = isDecided ? "cm-merge-decided" : "cm-merge-open";
    for (let position = from; position < to;) {
      const line = state.doc.lineAt(position);
      lines.set(line.from, name);
      position = line.to + 1;
    }
  }
  const sorted = [...lines].toSorted(([a], [b]) => a - b);
  return Decoration.set(sorted.map(([from, name]) => Decoration.line({ class: name }).range(from)));
}
