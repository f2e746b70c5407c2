import { indexOfText } from "../../platform/find-text.ts";
import { foldLongText, foldText } from "../../platform/fold-text.ts";
import { plainText } from "../../platform/plain-text.ts";

const BEFORE = 40;
const AFTER = 120;
/** So much around the word is freed from its markup, which makes it shorter. */
const PIECE_CHARACTERS = 1_000;
const FRONTMATTER = /^---\r?\n[\s\S]{0,20000}?\r?\n---[ \t]*\r?\n/;

/**
 * The text around the first occurrence of any of the words, on one line and without markup; null if there is none. The frontmatter
 * comes last. Case folding can change the length of a text, so the position may be slightly off after certain rare characters. Yields
 * to other work in between.
 */
export async function findExcerpt(text: string, words: readonly string[]): Promise<string | null> {
  const head = FRONTMATTER.exec(text)?.[0].length ?? 0;
  const folded = words.map(foldText);
  return (
    (await excerptOf(text.slice(head), folded)) ??
    (await excerptOf(text.slice(0, head).replaceAll(/^---.*$/gm, ""), folded))
  );
}

async function excerptOf(text: string, words: readonly string[]): Promise<string | null> {
  const at = await firstOf(text, words);
  if (at === null) return null;
  const lineStart = text.lastIndexOf("\n", at) + 1;
  const start = Math.max(0, at - lineStart > PIECE_CHARACTERS / 2 ? at - BEFORE : lineStart - PIECE_CHARACTERS / 2);
  const piece = text.slice(start, at + PIECE_CHARACTERS);
  const line = plainText(piece);
  const place = (await firstOf(line, words)) ?? 0;
  const begin = place > BEFORE ? line.indexOf(" ", place - BEFORE) + 1 : 0;
  const end = Math.min(place + AFTER, line.length);
  const isCut = end < line.length || start + piece.length < text.length;
  return `${start > 0 || begin > 0 ? "… " : ""}${line.slice(begin, end).trim().toWellFormed()}${isCut ? " …" : ""}`;
}

async function firstOf(text: string, words: readonly string[]): Promise<number | null> {
  const folded = await foldLongText(text);
  const positions = words.map((word) => indexOfText(folded, word)).filter((position) => position !== -1);
  return positions.length === 0 ? null : Math.min(...positions);
}
