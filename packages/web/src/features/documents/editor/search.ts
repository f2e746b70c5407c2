import { gotoLine } from "@codemirror/search";
import { Prec, type Extension, type Range } from "@codemirror/state";
import {
  Decoration,
  showPanel,
  ViewPlugin,
  type DecorationSet,
  type EditorView,
  type KeyBinding,
  type ViewUpdate,
} from "@codemirror/view";
import { closeSearch, findNext, findPrevious, openSearch, searchState } from "./search-commands.ts";
import { createSearchPanel } from "./search-panel.ts";
import { searchText } from "./text-search.ts";

/** Drawing more highlights would block the page. */
const MAX_HIGHLIGHTS = 500;

const SCOPE = "editor search-panel";

const match = Decoration.mark({ class: "cm-searchMatch" });
const selectedMatch = Decoration.mark({ class: "cm-searchMatch cm-searchMatch-selected" });

/** Highlights the visible matches. */
const highlighter = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = highlightMatches(view);
    }

    update({ docChanged, selectionSet, startState, state, view, viewportChanged }: ViewUpdate): void {
      const isOther = docChanged || selectionSet || viewportChanged;
      if (isOther || startState.field(searchState) !== state.field(searchState))
        this.decorations = highlightMatches(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Find and replace. */
export const search: Extension = [
  searchState,
  showPanel.compute([searchState], (state) => (state.field(searchState).isOpen ? createSearchPanel : null)),
  Prec.low(highlighter),
];

export const searchKeys: readonly KeyBinding[] = [
  { key: "Mod-f", run: openSearch, scope: SCOPE },
  { key: "F3", run: findNext, shift: findPrevious, scope: SCOPE, preventDefault: true },
  { key: "Mod-g", run: findNext, shift: findPrevious, scope: SCOPE, preventDefault: true },
  { key: "Escape", run: closeSearch, scope: SCOPE },
  { key: "Mod-Alt-g", run: gotoLine },
];

function highlightMatches({ state, visibleRanges }: EditorView): DecorationSet {
  const { isOpen, query } = state.field(searchState);
  if (!isOpen || query.words === "") return Decoration.none;
  const { main } = state.selection;
  const { length } = query.words;
  // Adjacent matches share a highlight.
  const highlighted: { from: number; to: number }[] = [];
  const found: Range<Decoration>[] = [];
  for (const visible of visibleRanges) {
    const start = Math.max(visible.from - length, highlighted.at(-1)?.to ?? 0, 0);
    for (const at of searchText(state.doc.sliceString(start, visible.to + length), query).matches()) {
      const [from, to] = [start + at, start + at + length];
      const last = highlighted.at(-1);
      if (from === main.from && to === main.to) found.push(selectedMatch.range(from, to));
      if (last !== undefined && last.to === from) last.to = to;
      else if (highlighted.length < MAX_HIGHLIGHTS) highlighted.push({ from, to });
    }
  }
  return Decoration.set([...found, ...highlighted.map(({ from, to }) => match.range(from, to))], true);
}
