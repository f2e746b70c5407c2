import { foldText } from "./folded-text.ts";
import { inSlices } from "./in-slices.ts";

export { foldText } from "./folded-text.ts";

/** Separates the fields of a search text. It is a control character that nobody types. */
const FIELD_SEPARATOR = "\u001f";

/** Folding this many characters takes a few milliseconds at worst. */
const PIECE_CHARACTERS = 64 * 1024;
/** A character that never combines with the one before it. */
const STANDALONE_CHARACTER = /[\s!-~]/;

/** Like {@link foldText}, for a text of any length: yields to other work in between. */
export async function foldLongText(text: string): Promise<string> {
  const parts: string[] = [];
  await inSlices(toPieces(text), (piece) => parts.push(foldText(piece)));
  return parts.join("");
}

/** Splits a text where that does not affect folding; anywhere, if there is no such place within a piece's length. */
function* toPieces(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const earliest = start + PIECE_CHARACTERS;
    const offset = text.slice(earliest, earliest + PIECE_CHARACTERS).search(STANDALONE_CHARACTER);
    const end = earliest + Math.max(offset, 0);
    yield text.slice(start, end);
    start = end;
  }
}

/** The text to store for searching several fields at once. A match never spans two of them. */
export function toSearchText(...fields: readonly (string | null)[]): string {
  return foldText(fields.filter((field) => field !== null).join(FIELD_SEPARATOR));
}

/** A LIKE pattern that finds `query` anywhere in a stored search text; `%`, `_` and `\` are ordinary characters. */
export function toSearchPattern(query: string): string {
  return `%${escapeLike(foldText(query))}%`;
}

/** A LIKE pattern that matches text beginning with exactly `prefix`; `%`, `_` and `\` are ordinary characters. */
export function toPrefixPattern(prefix: string): string {
  return `${escapeLike(prefix)}%`;
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, "\\$&");
}
