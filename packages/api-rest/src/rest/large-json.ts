import { randomUUID } from "node:crypto";
import { inSlices, InvalidInputError } from "@workspace/core";
import { hasMoreValues } from "./json-size.ts";

/** Texts of up to this length are parsed as part of the frame. */
const SHORT_TEXT_BYTES = 1024;
/** Decoding this much takes less than a millisecond. */
const PIECE_BYTES = 128 * 1024;
/** The maximum size of the frame around the long texts. It is parsed in one step, which this bounds. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024;

const [QUOTE, BACKSLASH, COLON, LETTER_U] = [0x22, 0x5c, 0x3a, 0x75] as const;
const WHITESPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

type Token = { readonly frame: Buffer } | { readonly piece: string } | { readonly isTextEnd: true };

/**
 * Returns the same value as `JSON.parse` for these bytes, which must be UTF-8, in steps between which other requests are served:
 * long texts are taken out, decoded piece by piece, and put back once the frame around them is parsed. Throws `SyntaxError` if
 * it is not JSON, and {@link InvalidInputError} for more values than `maxValues`, a frame over 8 MiB or a field name over 1 KiB.
 */
export async function parseLargeJson(bytes: Buffer, maxValues: number): Promise<unknown> {
  const mark = `${randomUUID()}#`;
  const frame: Buffer[] = [];
  let frameLength = 0;
  const texts: string[] = [];
  let pieces: string[] = [];
  await inSlices(readTokens(bytes), (token) => {
    if ("piece" in token) pieces.push(token.piece);
    else if ("frame" in token) {
      frame.push(token.frame);
      frameLength += token.frame.length;
      if (frameLength > MAX_FRAME_BYTES) {
        throw new InvalidInputError("The body is too large: only long texts may exceed 8 MiB.");
      }
    } else {
      frame.push(Buffer.from(mark + texts.length));
      texts.push(pieces.join(""));
      pieces = [];
    }
  });
  const frameBytes = Buffer.concat(frame);
  if (hasMoreValues(frameBytes, maxValues)) throw tooManyValues(maxValues);
  return JSON.parse(frameBytes.toString(), (_name, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value,
  );
}

export function tooManyValues(maxValues: number): InvalidInputError {
  return new InvalidInputError(`The body must contain at most ${maxValues} values.`);
}

/** Yields the frame in parts, and in the position of each long text the pieces of its content, followed by an end token. */
function* readTokens(bytes: Buffer): Generator<Token> {
  let frameStart = 0;
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] !== QUOTE) at += 1;
    else {
      const end = findTextEnd(bytes, at + 1, at + 1 + SHORT_TEXT_BYTES);
      if (bytes[end] === QUOTE) at = end + 1;
      else {
        yield { frame: bytes.subarray(frameStart, at + 1) };
        frameStart = yield* readText(bytes, at + 1);
        at = frameStart + 1;
        if (isName(bytes, at)) throw new InvalidInputError(`A field's name is longer than ${SHORT_TEXT_BYTES} bytes.`);
        continue;
      }
    }
    if (at - frameStart > PIECE_BYTES) {
      yield { frame: bytes.subarray(frameStart, at) };
      frameStart = at;
    }
  }
  yield { frame: bytes.subarray(frameStart) };
}

/** Decodes a text that starts here. Returns the index of the quote that ends it, or the end of the bytes. */
function* readText(bytes: Buffer, start: number): Generator<Token, number> {
  for (let at = start; ;) {
    let end = findTextEnd(bytes, at, at + PIECE_BYTES);
    while (isContinuation(bytes[end])) end += 1;
    yield { piece: decode(bytes, at, end) };
    at = end;
    if (at < bytes.length && bytes[at] !== QUOTE) continue;
    yield { isTextEnd: true };
    return at;
  }
}

/** The index of the quote that ends a text, or the first index from `limit` on that is not within an escape sequence. */
function findTextEnd(bytes: Buffer, from: number, limit: number): number {
  let at = from;
  while (at < limit && at < bytes.length && bytes[at] !== QUOTE) {
    if (bytes[at] !== BACKSLASH) at += 1;
    else at += bytes[at + 1] === LETTER_U ? "\\uXXXX".length : "\\n".length;
  }
  return Math.min(at, bytes.length);
}

function decode(bytes: Buffer, start: number, end: number): string {
  const text: string = JSON.parse(`"${bytes.toString("utf8", start, end)}"`);
  return text;
}

/** Whether a byte continues a UTF-8 character that began before it. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Whether the text that ended before this index is the name of a field. */
function isName(bytes: Buffer, from: number): boolean {
  let at = from;
  while (WHITESPACE.has(bytes[at])) at += 1;
  return bytes[at] === COLON;
}
