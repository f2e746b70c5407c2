import { insertNewlineContinueMarkupCommand } from "@codemirror/lang-markdown";
import { syntaxTree } from "@codemirror/language";
import { ChangeSet, EditorSelection, type EditorState, type StateCommand, type Transaction } from "@codemirror/state";

/** An empty line of a quote: the text before its last mark, and the mark. */
const EMPTY_QUOTE = /^([\s>]*)>\s*$/;

const continueMarkup = insertNewlineContinueMarkupCommand({ nonTightLists: false });

/** Continues the list or quote in a new line; at an empty item or line, leaves it by one level. */
export const breakLine: StateCommand = ({ state, dispatch }) =>
  leaveQuote({ state, dispatch }) ||
  continueMarkup({ state, dispatch: (transaction) => dispatch(setApart(state, transaction)) });

const leaveQuote: StateCommand = ({ state, dispatch }) => {
  const { head, empty } = state.selection.main;
  const line = state.doc.lineAt(head);
  const outer = EMPTY_QUOTE.exec(line.text)?.[1];
  if (outer === undefined || !empty || head !== line.to || state.readOnly || !isInQuote(state, line.to)) return false;
  // Without an empty line in between, the next words would be part of the quote.
  const insert = `${outer.trimEnd()}${state.lineBreak}${outer}`;
  const changes = { from: line.from, to: line.to, insert };
  const selection = { anchor: line.from + insert.length };
  dispatch(state.update({ changes, selection, scrollIntoView: true, userEvent: "input" }));
  return true;
};

function isInQuote(state: EditorState, position: number): boolean {
  let node = syntaxTree(state).resolveInner(position, -1);
  while (node.name !== "Blockquote" && node.parent !== null) node = node.parent;
  return node.name === "Blockquote";
}

/** Inserts an empty line where a list was left: without it, the next words would be part of its last item. */
function setApart(before: EditorState, transaction: Transaction): Transaction {
  const { newDoc, newSelection, changes } = transaction;
  const line = newDoc.lineAt(newSelection.main.head);
  const hasLeft = line.length === 0 && newDoc.lines === before.doc.lines;
  if (!hasLeft || line.number === 1 || newDoc.line(line.number - 1).length === 0) return transaction;
  const gap = ChangeSet.of({ from: line.from, insert: before.lineBreak }, newDoc.length, before.lineBreak);
  return before.update({
    changes: changes.compose(gap),
    selection: EditorSelection.cursor(line.from + 1),
    scrollIntoView: true,
    userEvent: "input",
  });
}
