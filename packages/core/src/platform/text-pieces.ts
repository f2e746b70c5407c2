import { inSlices } from "./in-slices.ts";

/** Encoding or escaping this many characters takes less than a millisecond. */
export const PIECE_CHARACTERS = 128 * 1024;

/** Splits a text into pieces without splitting surrogate pairs. */
export function* splitText(text: string, length = PIECE_CHARACTERS): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + length;
    const piece = text.slice(start, isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end);
    yield piece;
    start += piece.length;
  }
}

/** Splits a text into pieces of whole lines; the line feeds between pieces are in none of them. */
export function* splitAtLines(text: string, length = PIECE_CHARACTERS): Generator<string> {
  for (let start = 0; start <= text.length;) {
    const lineFeed = text.indexOf("\n", start + length);
    const end = lineFeed === -1 ? text.length : lineFeed;
    yield text.slice(start, end);
    start = end + 1;
  }
}

/** Encodes a text as UTF-8; yields to the event loop in between if it is long. */
export async function encodeText(text: string): Promise<Buffer> {
  if (text.length <= PIECE_CHARACTERS) return Buffer.from(text);
  const pieces: Buffer[] = [];
  await inSlices(splitText(text), (piece) => pieces.push(Buffer.from(piece)));
  return Buffer.concat(pieces);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
