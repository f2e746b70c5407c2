import { EditorSelection, type EditorState, type StateCommand, type TransactionSpec } from "@codemirror/state";

const TASK = /^(\s*(?:[-*+]|\d+[.)])\s)\[([ xX])\]\s/;
const LIST = /^(\s*(?:[-*+]|\d+[.)])\s)/;

/** Puts marks around what is selected, or takes them away where they are. */
export function toggleMarks(marks: string): StateCommand {
  return ({ state, dispatch }) => {
    const change = state.changeByRange((range) => {
      const { length } = marks;
      const isMarked =
        state.sliceDoc(range.from - length, range.from) === marks &&
        state.sliceDoc(range.to, range.to + length) === marks;
      if (isMarked) {
        return {
          changes: [
            { from: range.from - length, to: range.from },
            { from: range.to, to: range.to + length },
          ],
          range: EditorSelection.range(range.from - length, range.to - length),
        };
      }
      return {
        changes: [
          { from: range.from, insert: marks },
          { from: range.to, insert: marks },
        ],
        range: EditorSelection.range(range.from + length, range.to + length),
      };
    });
    dispatch(state.update(change, { userEvent: "input", scrollIntoView: true }));
    return true;
  };
}

/** Makes a task of the line, ticks it, and unticks it, in turn. */
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
