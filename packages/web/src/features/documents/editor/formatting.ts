import {
  EditorSelection,
  type ChangeSpec,
  type EditorState,
  type SelectionRange,
  type StateCommand,
  type TransactionSpec,
} from "@codemirror/state";

const TASK = /^(\s*(?:[-*+]|\d+[.)])\s)\[([ xX])\]\s/;
const LIST = /^(\s*(?:[-*+]|\d+[.)])\s)/;

type Marks = "*" | "**";

/**
 * Adds marks around the selection, or removes them if they exist. Without a selection, it begins and ends marked text: if the
 * caret is before the closing marks, it moves behind them.
 */
export function toggleMarks(marks: Marks): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      if (isAround(state, range, marks)) return unmarked(range, marks);
      return range.empty && isBeforeEnd(state, range.head, marks)
        ? behindMarks(state, range.head, marks)
        : marked(range, marks);
    });
    dispatch(state.update(change, { userEvent: "input", scrollIntoView: true }));
    return true;
  };
}

interface RangeChange {
  readonly changes: ChangeSpec;
  readonly range: SelectionRange;
}

function marked({ from, to }: SelectionRange, marks: Marks): RangeChange {
  return {
    changes: [
      { from, insert: marks },
      { from: to, insert: marks },
    ],
    range: EditorSelection.range(from + marks.length, to + marks.length),
  };
}

function unmarked({ from, to }: SelectionRange, { length }: Marks): RangeChange {
  return {
    changes: [
      { from: from - length, to: from },
      { from: to, to: to + length },
    ],
    range: EditorSelection.range(from - length, to - length),
  };
}

/** Moves spaces before closing marks behind them, because in Markdown marks do not close after a space. */
function behindMarks(state: EditorState, head: number, marks: Marks): RangeChange {
  const spaces = /(?<! ) *$/.exec(textBefore(state, head))?.[0] ?? "";
  const end = head + marks.length;
  return {
    changes: { from: head - spaces.length, to: end, insert: marks + spaces },
    range: EditorSelection.cursor(end),
  };
}

function isAround(state: EditorState, { from, to }: SelectionRange, marks: Marks): boolean {
  const before = /(?<!\*)\**$/.exec(textBefore(state, from))?.[0].length ?? 0;
  return says(before, marks) && says(starsAfter(state, to), marks);
}

function isBeforeEnd(state: EditorState, head: number, marks: Marks): boolean {
  const runs =
    textBefore(state, head)
      .replace(/^\s*\*\s/, "")
      .replaceAll("\\*", "")
      .match(/\*+/g) ?? [];
  const isOpen = runs.filter(({ length }) => says(length, marks)).length % 2 === 1;
  return isOpen && says(starsAfter(state, head), marks);
}

/** Three stars are both bold and italic. */
function says(stars: number, { length }: Marks): boolean {
  return stars === length || stars === 3;
}

function starsAfter(state: EditorState, position: number): number {
  return /^\**/.exec(state.sliceDoc(position, state.doc.lineAt(position).to))?.[0].length ?? 0;
}

/** The text before a position in its line. */
function textBefore(state: EditorState, position: number): string {
  return state.sliceDoc(state.doc.lineAt(position).from, position);
}

/** Turns the line into a task, checks it, and unchecks it, in turn. */
export const toggleTask: StateCommand = ({ state, dispatch }) => {
  dispatch(state.update({ ...toggledTask(state), userEvent: "input", scrollIntoView: true }));
  return true;
};

function toggledTask(state: EditorState): TransactionSpec {
  const line = state.doc.lineAt(state.selection.main.head);
  const task = TASK.exec(line.text);
  if (task !== null) {
    const at = line.from + (task[1] ?? "").length + 1;
    return { changes: { from: at, to: at + 1, insert: task[2] === " " ? "x" : " " } };
  }
  const list = LIST.exec(line.text)?.[1];
  if (list !== undefined) return { changes: { from: line.from + list.length, insert: "[ ] " } };
  const indent = /^\s*/.exec(line.text)?.[0].length ?? 0;
  return { changes: { from: line.from + indent, insert: "- [ ] " } };
}
