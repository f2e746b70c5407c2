import { StateEffect, StateField, type ChangeSpec, type EditorState, type SelectionRange } from "@codemirror/state";
import { EditorView, type Command } from "@codemirror/view";
import { computeInSlices, type Pausable } from "../../../browser/compute-in-slices.ts";
import { pluralize } from "../../../numbers/number-format.ts";
import { longDocument, stringOf } from "./editor-document.ts";
import { searchText, type TextQuery, type TextSearch } from "./text-search.ts";

export interface Search {
  readonly isOpen: boolean;
  readonly query: TextQuery;
  readonly replacement: string;
  /** The outcome of the last command, if it needs to be reported. */
  readonly note: string;
}

/** Keeps a search from blocking the page. */
export const MAX_WORDS = 200;
/** Up to this many matches are replaced individually, so that the caret stays in place. */
const MAX_CHANGES = 1_000;
const MAX_REPLACED_LENGTH = 4 * 1024 * 1024;

const changeSearch = StateEffect.define<Partial<Search>>();

export const searchState = StateField.define<Search>({
  create: () => ({
    isOpen: false,
    query: { words: "", isCaseSensitive: false, isWholeWord: false },
    replacement: "",
    note: "",
  }),
  update: (search, { effects }) =>
    effects.reduce(
      (latest, effect) => (effect.is(changeSearch) ? { ...latest, note: "", ...effect.value } : latest),
      search,
    ),
});

export function setSearch(view: EditorView, change: Partial<Search>): void {
  view.dispatch({ effects: changeSearch.of(change) });
}

/** Opens the search for the selected words, if they are within a line. */
export const openSearch: Command = (view) => {
  const { doc, selection } = view.state;
  const { from, to } = selection.main;
  const { query } = view.state.field(searchState);
  const isWords = from < to && to - from <= MAX_WORDS && doc.lineAt(from).to >= to;
  const words = isWords ? doc.sliceString(from, to) : query.words;
  setSearch(view, { isOpen: true, query: { ...query, words } });
  view.dom.querySelector<HTMLInputElement>(".cm-search .cm-textfield")?.select();
  return true;
};

export const closeSearch: Command = (view) => {
  if (!view.state.field(searchState).isOpen) return false;
  setSearch(view, { isOpen: false });
  view.focus();
  return true;
};

export const findNext: Command = (view) => find(view, (search, { to }) => search.next(to));

export const findPrevious: Command = (view) => find(view, (search, { from }) => search.previous(from));

/** Replaces the selected match and selects the next one. */
export const replaceMatch: Command = (view) => {
  const { doc, readOnly, selection } = view.state;
  if (readOnly) return false;
  const { query, replacement } = view.state.field(searchState);
  const { from, to } = selection.main;
  if (to - from === query.words.length && searchText(stringOf(doc), query).next(from) === from) {
    view.dispatch({
      changes: { from, to, insert: replacement },
      selection: { anchor: from + replacement.length },
      userEvent: "input.replace",
    });
  }
  return findNext(view);
};

export const replaceAllMatches: Command = (view) => {
  if (view.state.readOnly) return false;
  void replaceAll(view);
  return true;
};

/** In slices, because a text may have hundreds of thousands of matches. */
async function replaceAll(view: EditorView): Promise<void> {
  const { state } = view;
  const { query, replacement } = state.field(searchState);
  const places = await computeInSlices(placesOf(state));
  const growth = places.length * (replacement.length - query.words.length);
  if (places.length === 0) return void report(view, "No match");
  if (state.doc.length + growth > MAX_REPLACED_LENGTH) return void report(view, "The text would be too long");
  const changes = await computeInSlices(replacements(state, places));
  // What was found is elsewhere now.
  if (view.state.doc !== state.doc) return void report(view, "The text has changed meanwhile");
  view.dispatch({
    changes,
    effects: changeSearch.of({ note: `Replaced ${pluralize(places.length, "match", "matches")}` }),
    userEvent: "input.replace.all",
  });
}

function* placesOf(state: EditorState): Pausable<number[]> {
  const places: number[] = [];
  for (const at of searchText(stringOf(state.doc), state.field(searchState).query).matches()) {
    places.push(at);
    if (places.length % MAX_CHANGES === 0) yield;
  }
  return places;
}

function find(view: EditorView, pick: (search: TextSearch, selection: SelectionRange) => number | null): boolean {
  const { doc, selection } = view.state;
  const { query } = view.state.field(searchState);
  const from = pick(searchText(stringOf(doc), query), selection.main);
  if (from === null) return report(view, query.words === "" ? "" : "No match");
  const to = from + query.words.length;
  view.dispatch({
    selection: { anchor: from, head: to },
    effects: [
      EditorView.scrollIntoView(from, { y: "center" }),
      changeSearch.of({}),
      EditorView.announce.of(`Match on line ${doc.lineAt(from).number}`),
    ],
    userEvent: "select.search",
  });
  return true;
}

function report(view: EditorView, note: string): true {
  view.dispatch({ effects: [changeSearch.of({ note }), EditorView.announce.of(note)] });
  return true;
}

function* replacements(state: EditorState, places: readonly number[]): Pausable<ChangeSpec> {
  const { query, replacement } = state.field(searchState);
  const { length } = query.words;
  if (places.length <= MAX_CHANGES) {
    return places.map((from) => ({ from, to: from + length, insert: replacement }));
  }
  // Hundreds of thousands of individual changes would take seconds.
  const text = stringOf(state.doc);
  const from = places[0] ?? 0;
  let to = from;
  let insert = "";
  for (let start = 0; start < places.length; start += MAX_CHANGES) {
    const pieces: string[] = [];
    for (const at of places.slice(start, start + MAX_CHANGES)) {
      pieces.push(text.slice(to, at), replacement);
      to = at + length;
    }
    insert += pieces.join("");
    yield;
  }
  return { from, to, insert: yield* longDocument(insert) };
}
