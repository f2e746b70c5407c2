import { InvalidInputError } from "../../platform/errors.ts";
import { findText } from "../../platform/find-text.ts";
import { inSlices } from "../../platform/in-slices.ts";

/** The longest note that is read or changed in parts: a text is searched as a whole in one go. */
export const MAX_NOTE_CHARACTERS = 1_000_000;

/** More are not replaced in one go, which takes time for each. */
const MAX_OCCURRENCES = 100_000;

/** The most characters that a part of a note has. */
export const MAX_PART_CHARACTERS = 40_000;

export interface LineRange {
  /** From 1. */
  readonly fromLine: number;
  readonly lineCount: number;
}

export interface NotePart {
  readonly content: string;
  /** The last line that is contained, at least in part; `fromLine - 1` if there is none. */
  readonly toLine: number;
  readonly totalLines: number;
  /** Whether the last line is longer than a part may be and was cut. */
  readonly isCut: boolean;
}

/** Returns whole lines of a text with their line breaks, as many as are asked for and fit into a part. */
export function takeLines(text: string, { fromLine, lineCount }: LineRange): NotePart {
  let totalLines = 0;
  let start = text.length;
  let end = text.length;
  let toLine = fromLine - 1;
  for (let position = 0; position < text.length;) {
    const lineBreak = text.indexOf("\n", position);
    const next = lineBreak === -1 ? text.length : lineBreak + 1;
    totalLines += 1;
    if (totalLines === fromLine) start = position;
    const isWanted = totalLines >= fromLine && totalLines < fromLine + lineCount && toLine === totalLines - 1;
    if (isWanted && (totalLines === fromLine || next - start <= MAX_PART_CHARACTERS)) {
      toLine = totalLines;
      end = next;
    }
    position = next;
  }
  const isCut = end - start > MAX_PART_CHARACTERS;
  const content = text.slice(start, isCut ? start + MAX_PART_CHARACTERS : end);
  return { content: isCut ? content.toWellFormed() : content, toLine, totalLines, isCut };
}

export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
  /** Whether every occurrence is replaced; otherwise there must be exactly one. */
  readonly all?: boolean | undefined;
}

/**
 * Makes replacements in their order. In a note with Windows line breaks, all line breaks are taken to mean these, since models write
 * others. Throws {@link InvalidInputError} with the number of the replacement whose text does not occur,
 * occurs more than once, or makes the note too long; then nothing has been replaced.
 */
export async function replaceTexts(text: string, replacements: readonly Replacement[]): Promise<string> {
  let current = text;
  await inSlices([...replacements.entries()], ([index, replacement]) => {
    current = replaceOne(current, replacement, `edits.${index}`);
  });
  return current;
}

function replaceOne(text: string, { oldText, newText, all = false }: Replacement, field: string): string {
  const [from, to] = usesWindowsLineBreaks(text)
    ? [withWindowsLineBreaks(oldText), withWindowsLineBreaks(newText)]
    : [oldText, newText];
  const found = findText(text, from);
  const count = found.length;
  if (count === 0) throw InvalidInputError.at(`${field}.oldText`, "does not occur in the note");
  if (count > 1 && !all) {
    const advice = "add text around it, or set all to replace each";
    throw InvalidInputError.at(`${field}.oldText`, `occurs ${count} times; ${advice}`);
  }
  if (count > MAX_OCCURRENCES)
    throw InvalidInputError.at(`${field}.oldText`, "occurs more than 100,000 times, too often to be replaced");
  if (text.length + count * (to.length - from.length) > MAX_NOTE_CHARACTERS)
    throw InvalidInputError.at(`${field}.newText`, "makes the note longer than 1,000,000 characters");
  let result = "";
  let end = 0;
  for (const start of found) {
    result += text.slice(end, start) + to;
    end = start + from.length;
  }
  return result + text.slice(end);
}

/** Whether a text has line breaks, and only those of Windows. */
function usesWindowsLineBreaks(text: string): boolean {
  return text.includes("\r\n") && !/(?<!\r)\n/.test(text);
}

function withWindowsLineBreaks(text: string): string {
  return text.replaceAll(/\r?\n/g, "\r\n");
}

/**
 * Adds a text on lines of its own at the end, with the line breaks that are used before. Throws {@link InvalidInputError} if that makes
 * the note too long.
 */
export function appendText(text: string, addition: string): string {
  const usesWindows = usesWindowsLineBreaks(text);
  const added = usesWindows ? withWindowsLineBreaks(addition) : addition;
  const lineBreak = usesWindows ? "\r\n" : "\n";
  const before = text === "" || text.endsWith("\n") ? text : text + lineBreak;
  const result = added.endsWith("\n") ? before + added : before + added + lineBreak;
  if (result.length <= MAX_NOTE_CHARACTERS) return result;
  throw InvalidInputError.at("text", "makes the note longer than 1,000,000 characters");
}
