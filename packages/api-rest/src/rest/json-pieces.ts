import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";

/** Escaping so much takes less than a millisecond. */
const PIECE_CHARACTERS = 128 * 1024;
/** Texts of documents stand no deeper in their answers: in a field of `data`. */
const MAX_DEPTH = 2;

/**
 * How many characters are in the large texts of an answer, all of them together. Every answer comes past here, so nothing is
 * allocated, and lists are not looked into.
 */
export function countLargeTexts(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length > PIECE_CHARACTERS ? value.length : 0;
  if (depth === MAX_DEPTH || !isRecord(value)) return 0;
  let count = 0;
  for (const name in value) count += countLargeTexts(value[name], depth + 1);
  return count;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The same bytes as `JSON.stringify` makes, with the large texts escaped piece by piece, so that others are served in
 * between.
 */
export async function toJsonPieces(body: unknown): Promise<Buffer[]> {
  const texts: string[] = [];
  const mark = randomUUID();
  const frame = JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value !== "string" || value.length <= PIECE_CHARACTERS) return value;
    texts.push(value);
    return mark;
  });
  const pieces: Buffer[] = [];
  for (const [index, part] of frame.split(mark).entries()) {
    pieces.push(Buffer.from(part));
    for (const piece of wholeCharacterPieces(texts[index] ?? "")) {
      await nextTurn();
      pieces.push(Buffer.from(JSON.stringify(piece).slice(1, -1)));
    }
  }
  return pieces;
}

/** Cuts a text up. The two halves of a character outside the basic plane stay together. */
export function* wholeCharacterPieces(text: string, length = PIECE_CHARACTERS): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + length;
    const piece = text.slice(start, isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end);
    yield piece;
    start += piece.length;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
