/** How the lines of a file end. Editors work with "\n"; what a file had is put back when it is saved. */
export type LineEnding = "\n" | "\r\n";

/** The ending that most lines of a text have. */
export function lineEndingOf(text: string): LineEnding {
  const breaks = text.split("\n").length - 1;
  const windows = text.split("\r\n").length - 1;
  return windows * 2 > breaks ? "\r\n" : "\n";
}

export function withPlainBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function withLineEnding(text: string, ending: LineEnding): string {
  return ending === "\n" ? text : text.replaceAll("\n", ending);
}

/** The smallest replacement that makes one text of another, so that a caret elsewhere in it can stay. */
export function replacementOf(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const limit = Math.min(before.length, after.length);
  let from = 0;
  while (from < limit && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < limit - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

export interface TextFigures {
  readonly words: number;
  readonly characters: number;
}

export function figuresOf(text: string): TextFigures {
  return { words: text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)?.length ?? 0, characters: text.length };
}
