import { EditorSelection, type EditorState, type TransactionSpec } from "@codemirror/state";

const MARKS = /^(\s*)(?:#{1,6}\s+|>\s+|(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?)?/;

/** The typed slash with what follows it, which an action replaces. */
export interface SlashRange {
  readonly from: number;
  readonly to: number;
}

/** Makes the line what the marks say: a heading, a list item, a quote. Marks that it has are replaced. */
export function markLine(state: EditorState, { from, to }: SlashRange, marks: string): TransactionSpec {
  const line = state.doc.lineAt(from);
  const before = state.sliceDoc(line.from, from);
  const after = state.sliceDoc(to, line.to);
  const [matched = "", indent = ""] = MARKS.exec(before) ?? [];
  const text = `${before.slice(matched.length)}${after}`.trimEnd();
  const insert = `${indent}${marks}${text}`;
  const caret = line.from + indent.length + marks.length + Math.min(before.length - matched.length, text.length);
  return edit({ from: line.from, to: line.to, insert }, caret);
}

/** A block on lines of its own; `|` in the text is where the caret goes. */
export function insertBlock(state: EditorState, { from, to }: SlashRange, block: string): TransactionSpec {
  const line = state.doc.lineAt(from);
  const before = state.sliceDoc(line.from, from);
  const after = state.sliceDoc(to, line.to);
  const isAlone = before.trim() === "";
  const start = isAlone ? line.from : from;
  const previous = line.number === 1 ? "" : state.doc.line(line.number - 1).text;
  const lead = isAlone ? (previous.trim() === "" ? "" : "\n") : "\n\n";
  const tail = after.trim() === "" ? "\n" : "\n\n";
  const place = block.indexOf(CARET);
  const text = block.replace(CARET, "");
  return edit(
    { from: start, to, insert: lead + text + tail },
    start + lead.length + (place === -1 ? text.length : place),
  );
}

/** Where the caret goes in a block. */
export const CARET = "\ue001";

/** A text in the line, with the caret behind it or at an offset in it. */
export function insertInline({ from, to }: SlashRange, text: string, caret = text.length): TransactionSpec {
  return edit({ from, to, insert: text }, from + caret);
}

/** What a line says without its marks: the title of a task that is made from it. */
export function titleOfLine(state: EditorState, { from, to }: SlashRange): string {
  const line = state.doc.lineAt(from);
  const text = state.sliceDoc(line.from, from) + state.sliceDoc(to, line.to);
  return text.replace(MARKS, "").trim();
}

/** The line as a task of the list, linked to the one that was created from it. */
export function linkTask(
  state: EditorState,
  lineStart: number,
  { title, url }: { title: string; url: string },
): TransactionSpec | null {
  if (lineStart > state.doc.length) return null;
  const line = state.doc.lineAt(lineStart);
  const [matched = "", indent = ""] = MARKS.exec(line.text) ?? [];
  // It may have been changed while the task was created.
  if (line.text.slice(matched.length).trim() !== title) return null;
  const insert = `${indent}- [ ] [${title.replaceAll(/[[\]\\]/g, String.raw`\$&`)}](${url})`;
  return edit({ from: line.from, to: line.to, insert }, line.from + insert.length);
}

function edit(changes: { from: number; to: number; insert: string }, caret: number): TransactionSpec {
  return { changes, selection: EditorSelection.cursor(caret), userEvent: "input.complete", scrollIntoView: true };
}
