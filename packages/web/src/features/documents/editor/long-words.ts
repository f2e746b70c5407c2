import {
  CharCategory,
  EditorSelection,
  findClusterBreak,
  type EditorState,
  type SelectionRange,
} from "@codemirror/state";
import { EditorView, keymap, type Command } from "@codemirror/view";

/** How many letters of a word a key passes or deletes at a time: a line without end may be a single word. */
export const MAX_WORD = 5_000;

/** An editor in which moving by words takes bounded time. */
export class BoundedEditorView extends EditorView {
  override moveByGroup(start: SelectionRange, isForward: boolean): SelectionRange {
    return this.moveByChar(start, isForward, (first) => {
      const isInGroup = groupFrom(this.state, start.head, first);
      let letters = 1;
      return (next) => {
        letters += 1;
        return letters <= MAX_WORD && isInGroup(next);
      };
    });
  }
}

/** Deletes a part of a word that is too long; shorter words are left to CodeMirror's own commands. */
export const longWordKeys = keymap.of([
  { key: "Mod-Backspace", mac: "Alt-Backspace", run: deletePart(false) },
  { key: "Mod-Delete", mac: "Alt-Delete", run: deletePart(true) },
]);

/** A double click in a long line selects at most as much of a word on either side; in shorter ones, it is left to CodeMirror. */
export const longWordClicks = EditorView.mouseSelectionStyle.of((view, click) => {
  const wordOf = ({ clientX: x, clientY: y }: MouseEvent) => {
    const { pos, assoc } = view.posAndSideAtCoords({ x, y }, false);
    return wordAt(view.state, pos, assoc);
  };
  if (click.button !== 0 || click.detail !== 2) return null;
  const clicked = view.posAtCoords({ x: click.clientX, y: click.clientY }, false);
  if (view.state.doc.lineAt(clicked).length <= MAX_WORD) return null;
  let start = wordOf(click);
  return {
    update({ docChanged, changes }) {
      if (docChanged) start = { from: changes.mapPos(start.from), to: changes.mapPos(start.to) };
    },
    get(event, extend) {
      const { from, to } = wordOf(event);
      if (extend) return EditorSelection.create([view.state.selection.main.extend(from, to)]);
      return from < start.from
        ? EditorSelection.single(start.to, from)
        : EditorSelection.single(start.from, Math.max(start.to, to));
    },
  };
});

/** The word on one side of a position (-1: before it), with at most so many letters on either side. */
export function wordAt(
  state: EditorState,
  position: number,
  side: -1 | 1,
): { readonly from: number; readonly to: number } {
  const line = state.doc.lineAt(position);
  const offsetInLine = position - line.from;
  const isBefore = (side < 0 && offsetInLine > 0) || position === line.to;
  const first = isBefore ? findClusterBreak(line.text, offsetInLine, false) : offsetInLine;
  const end = findClusterBreak(line.text, first);
  const categoryOf = state.charCategorizer(position);
  const category = categoryOf(line.text.slice(first, end));
  const edge = (offset: number, isForward: boolean): number => {
    for (let letters = 0; letters < MAX_WORD; letters += 1) {
      const next = findClusterBreak(line.text, offset, isForward);
      const letter = line.text.slice(Math.min(offset, next), Math.max(offset, next));
      if (letter === "" || categoryOf(letter) !== category) return offset;
      offset = next;
    }
    return offset;
  };
  return { from: line.from + edge(first, false), to: line.from + edge(end, true) };
}

function deletePart(isForward: boolean): Command {
  return ({ state, dispatch }) => {
    const { head, empty } = state.selection.main;
    const end = empty && !state.readOnly ? endOfPart(state, head, isForward) : null;
    if (end === null) return false;
    const changes = { from: Math.min(head, end), to: Math.max(head, end) };
    const userEvent = isForward ? "delete.forward" : "delete.backward";
    dispatch(state.update({ changes, userEvent, scrollIntoView: true }));
    return true;
  };
}

/** The position after as many letters of the word beside a position as are deleted at a time; null if it has fewer. */
export function endOfPart(state: EditorState, position: number, isForward: boolean): number | null {
  const { from, to, text } = state.doc.lineAt(position);
  if ((isForward ? to - position : position - from) <= MAX_WORD) return null;
  let isInGroup: ((next: string) => boolean) | undefined;
  let offset = position - from;
  for (let letters = 0; letters < MAX_WORD; letters += 1) {
    const next = findClusterBreak(text, offset, isForward);
    if (next === offset) return null;
    const letter = text.slice(Math.min(offset, next), Math.max(offset, next));
    isInGroup ??= groupFrom(state, position, letter);
    if (!isInGroup(letter)) return null;
    offset = next;
  }
  return from + offset;
}

/** Whether what follows a letter is of the same word, or of the word after a space. */
function groupFrom(state: EditorState, position: number, first: string): (next: string) => boolean {
  const categoryOf = state.charCategorizer(position);
  let category = categoryOf(first);
  return (next) => {
    const following = categoryOf(next);
    if (category === CharCategory.Space) category = following;
    return category === following;
  };
}
