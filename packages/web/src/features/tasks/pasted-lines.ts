export const MAX_LINES = 200;
const MAX_LENGTH = 500;
/** A subtask may have seven others above it. */
const MAX_DEPTH = 7;
const TAB_WIDTH = 4;

/** A line of a pasted text. */
export interface PastedLine {
  readonly text: string;
  /** Whether it is ticked in Markdown. */
  readonly isDone: boolean;
  /** How many lines above it contain it. */
  readonly depth: number;
}

/** The lines of a pasted text, without the marks of lists. A line is in the one above that is less indented. */
export function linesOf(text: string): PastedLine[] {
  const indents: number[] = [];
  const lines: PastedLine[] = [];
  for (const line of text.split(/\r?\n/)) {
    const bare = line.replace(/^\s*(?:(?:[-*+•–]|\d{1,9}[.)])\s+|•)?/, "").trimStart();
    const box = /^\[([ xX])\]\s+/.exec(bare);
    const title = bare
      .slice(box?.[0].length ?? 0)
      .trim()
      .slice(0, MAX_LENGTH);
    if (title === "") continue;
    const indent = widthOf(/^\s*/.exec(line)?.[0] ?? "");
    while ((indents.at(-1) ?? -1) >= indent) indents.pop();
    const depth = Math.min(indents.length, MAX_DEPTH);
    if (indents.length < MAX_DEPTH) indents.push(indent);
    lines.push({ text: title, isDone: box?.[1]?.toLowerCase() === "x", depth });
    if (lines.length === MAX_LINES) break;
  }
  return lines;
}

function widthOf(indent: string): number {
  return indent.replaceAll("\t", " ".repeat(TAB_WIDTH)).length;
}
