import type { TextRange } from "./sigils.ts";
import { withoutTrailing, type Word } from "./words.ts";

/** The characters that a range of words covers. */
export function charactersOf(words: readonly Word[], { from, to }: { from: number; to: number }): TextRange {
  return { start: words[from]?.start ?? 0, end: words[to - 1]?.end ?? 0 };
}

/** The text of a range, as it was written. */
export function textOf(text: string, { start, end }: TextRange): string {
  return text.slice(start, end);
}

const SEPARATORS_AFTER = /^[,;:.)\]]+(?=\s|$)/;

/** The text without these parts and without the punctuation that separated them. */
export function without(text: string, ranges: readonly TextRange[]): string {
  if (ranges.length === 0) return text.trim();
  const kept: string[] = [];
  let position = 0;
  for (const { start, end } of ranges) {
    const before = text.slice(position, start).trim();
    const isBracketed = before.endsWith("(") && text.charAt(end) === ")";
    const separators = SEPARATORS_AFTER.exec(text.slice(end, end + 10))?.[0] ?? "";
    const isComma = separators === "," && /[\p{L}\p{N}]$/u.test(before);
    kept.push((isBracketed ? before.slice(0, -1).trim() : before) + (isComma ? "," : ""));
    position = end + separators.length;
  }
  kept.push(text.slice(position).trim());
  const joined = kept.filter((part) => part !== "").join(" ");
  const isSeparator = (character: string) => /[\s,;:–—-]/.test(character);
  const title = withoutTrailing(joined.replace(/ [–—-]?(?=[?!]{1,3}(?:\s|$))/g, ""), isSeparator);
  let start = 0;
  while (isSeparator(title.charAt(start))) start += 1;
  return title.slice(start);
}
