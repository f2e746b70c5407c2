import type { Pausable } from "../../browser/compute-in-slices.ts";
import type { LazyText } from "./session/lazy-text.ts";
import { textChunks } from "@workspace/markdown/text-chunks";

/** How the lines of a file end. Editors work with "\n"; the original ending is restored on saving. */
export type LineEnding = "\n" | "\r\n";

/** The line ending that most lines of a text have. */
export function lineEndingOf(text: string): LineEnding {
  const breaks = text.split("\n").length - 1;
  const windows = text.split("\r\n").length - 1;
  return windows * 2 > breaks ? "\r\n" : "\n";
}

export function normalizeLineBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export function withLineEnding(text: string, ending: LineEnding): string {
  return ending === "\n" ? text : text.replaceAll("\n", ending);
}

/** The smallest replacement that turns one text into the other, so that a caret elsewhere in it keeps its position. */
export function minimalReplacement(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const limit = Math.min(before.length, after.length);
  let from = 0;
  while (from < limit && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < limit - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

export interface TextStatistics {
  readonly words: number;
  readonly characters: number;
}

/** How many characters are searched for words before a pause. */
const CHUNK = 16 * 1024;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;

export function* statisticsOf(text: LazyText): Pausable<TextStatistics> {
  const all = text.toString();
  yield;
  let words = 0;
  let isWithinWord = false;
  for (const chunk of textChunks(all, CHUNK)) {
    let end = 0;
    for (const { 0: word, index } of chunk.matchAll(WORD)) {
      if (index > 0 || !isWithinWord) words += 1;
      end = index + word.length;
    }
    isWithinWord = end === chunk.length;
    yield;
  }
  return { words, characters: all.length };
}
