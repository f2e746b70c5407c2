import { EditorState, StateEffect, StateField, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, type DecorationSet } from "@codemirror/view";
import { pluralize } from "../../../numbers/number-format.ts";
import { isLong, isTooMuchShown, longLines, mergeAdjacent, omittedRanges, reveal, type Range } from "./long-lines.ts";

/** How many of the omitted characters are shown at a time. */
const STEP = 2_500;

const revealRange = StateEffect.define<Range>({
  map: ({ from, to }, changes) => ({ from: changes.mapPos(from), to: changes.mapPos(to, 1) }),
});

/** A button in the place of omitted characters that shows some of them. */
class Fold extends WidgetType {
  readonly length: number;

  constructor(length: number) {
    super();
    this.length = length;
  }

  override eq(other: Fold): boolean {
    return other.length === this.length;
  }

  override toDOM(view: EditorView): HTMLElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "cm-fold";
    button.textContent = `… ${pluralize(this.length, "more character")} …`;
    // With the keyboard, moving the caret into the omitted characters shows them.
    button.tabIndex = -1;
    // Keeps the caret and the focus in place.
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => {
      const from = view.posAtDOM(button);
      view.dispatch({ effects: revealRange.of(beginningOf({ from, to: from + this.length })) });
    });
    return button;
  }
}

const folds = StateField.define<DecorationSet>({
  create: ({ doc }) => {
    const lines = [...longLines(doc, { from: 0, to: doc.length })];
    return Decoration.set(lines.flatMap((line) => toFolds(omittedRanges(line, []))));
  },
  update(before, transaction) {
    const { changes, docChanged, effects, newSelection, selection, state } = transaction;
    let all = before.map(changes);
    if (docChanged) all = foldAgain(all, transaction);
    for (const effect of effects) if (effect.is(revealRange)) all = show(all, state, effect.value);
    if (!docChanged && selection === undefined) return all;
    // The caret and search matches are always visible.
    for (const position of [newSelection.main.anchor, newSelection.main.head]) {
      const isOmitted = rangesIn(all, position, position).some(({ from, to }) => from < position && to > position);
      if (isOmitted) all = show(all, state, around(position));
    }
    return all;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A key that would delete omitted characters shows them instead. */
const showsBeforeDeleting = EditorState.transactionFilter.of((transaction) => {
  const { changes, startState } = transaction;
  const isBackward = transaction.isUserEvent("delete.backward");
  if (!startState.selection.main.empty || !(isBackward || transaction.isUserEvent("delete.forward")))
    return transaction;
  const shown: Range[] = [];
  changes.iterChangedRanges((deletedFrom, deletedTo) => {
    for (const { from, to } of rangesIn(startState.field(folds), deletedFrom, deletedTo)) {
      if (from === deletedTo || to === deletedFrom) continue;
      shown.push(isBackward ? { from: Math.max(to - STEP, from), to } : beginningOf({ from, to }));
    }
  });
  return shown.length === 0 ? transaction : { effects: shown.map((range) => revealRange.of(range)) };
});

/**
 * Leaves out the middle of very long lines. Parts of it are shown when the caret or a search match is inside, or on request.
 * The document itself is not affected.
 */
export const lineFolds = [folds, showsBeforeDeleting];

/** Updates the folds of changed lines. */
function foldAgain(all: DecorationSet, { changes, newSelection, state }: Transaction): DecorationSet {
  const { doc } = state;
  let [changedFrom, changedTo] = [doc.length, 0];
  changes.iterChangedRanges((_from, _to, from, to) => {
    [changedFrom, changedTo] = [Math.min(changedFrom, from), Math.max(changedTo, to)];
  });
  const { from } = doc.lineAt(changedFrom);
  const { to } = doc.lineAt(changedTo);
  const known = rangesIn(all, from, to);
  const { anchor, head } = newSelection.main;
  const add = [...longLines(doc, { from, to })].flatMap((line) => {
    const own = mergeAdjacent(known.filter((range) => range.from >= line.from && range.to <= line.to));
    return toFolds(isTooMuchShown(line, own) ? omittedRanges(line, [around(anchor), around(head)]) : own);
  });
  return all.update({ filterFrom: from, filterTo: to, filter: () => false, add });
}

/** Shows a part of a line. If too much of the line would be shown, parts that were revealed earlier are left out again. */
function show(all: DecorationSet, { doc, selection }: EditorState, part: Range): DecorationSet {
  const line = doc.lineAt(Math.floor((part.from + part.to) / 2));
  if (!isLong(line)) return all;
  const { anchor, head } = selection.main;
  const omitted =
    reveal(line, rangesIn(all, line.from, line.to), part) ?? omittedRanges(line, [part, around(anchor), around(head)]);
  return all.update({ filterFrom: line.from, filterTo: line.to, filter: () => false, add: toFolds(omitted) });
}

function beginningOf({ from, to }: Range): Range {
  return { from, to: Math.min(from + STEP, to) };
}

function around(position: number): Range {
  return { from: position - STEP / 2, to: position + STEP / 2 };
}

function toFolds(ranges: readonly Range[]) {
  return ranges.map(({ from, to }) => Decoration.replace({ widget: new Fold(to - from) }).range(from, to));
}

function rangesIn(all: DecorationSet, from: number, to: number): Range[] {
  const ranges: Range[] = [];
  all.between(from, to, (start, end) => void ranges.push({ from: start, to: end }));
  return ranges;
}
