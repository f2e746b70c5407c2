import { setImmediate as nextTurn } from "node:timers/promises";
import { PIECE_CHARACTERS, splitText } from "@workspace/core";

/** Lists of up to this many items are serialized in one step. */
const SHORT_LIST = 100;
const TYPICAL_ITEM_CHARACTERS = 500;
/** Long texts and lists are not nested deeper than this: they are in a field of `data`. */
const MAX_DEPTH = 2;

/**
 * Estimates how many characters the long texts and long lists of a response take in total; zero if there are none. This runs for
 * every response, so it allocates nothing and does not inspect the items of lists.
 */
export function estimateLargeParts(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length > PIECE_CHARACTERS ? value.length : 0;
  if (Array.isArray(value)) return value.length > SHORT_LIST ? value.length * TYPICAL_ITEM_CHARACTERS : 0;
  if (depth === MAX_DEPTH || !isRecord(value)) return 0;
  let sum = 0;
  for (const name in value) sum += estimateLargeParts(value[name], depth + 1);
  return sum;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Produces the same bytes as `JSON.stringify`, piece by piece, so that other requests are served in between. */
export async function toJsonPieces(body: unknown): Promise<Buffer[]> {
  return toPieces(toFragments(body));
}

/** The pieces of a JSON text in which marks, each a string value of its own, are replaced by long texts. */
export async function fillInTexts(frame: string, texts: ReadonlyMap<string, string>): Promise<Buffer[]> {
  return toPieces(toFilledFragments(frame, texts));
}

function* toFilledFragments(frame: string, texts: ReadonlyMap<string, string>): Generator<string> {
  const places = Array.from(texts, ([mark, text]) => ({ start: frame.indexOf(`"${mark}"`), mark, text }))
    // The text of a call that failed is not in the response.
    .filter(({ start }) => start !== -1)
    .toSorted((a, b) => a.start - b.start);
  let end = 0;
  for (const { start, mark, text } of places) {
    yield frame.slice(end, start);
    yield* toFragments(text);
    end = start + mark.length + 2;
  }
  yield frame.slice(end);
}

async function toPieces(fragments: Iterable<string>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let text = "";
  for (const fragment of fragments) {
    text += fragment;
    if (text.length < PIECE_CHARACTERS) continue;
    pieces.push(Buffer.from(text));
    text = "";
    await nextTurn();
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

function* toFragments(value: unknown): Generator<string> {
  if (estimateLargeParts(value) === 0) {
    yield JSON.stringify(value);
  } else if (typeof value === "string") {
    yield '"';
    for (const piece of splitText(value)) yield JSON.stringify(piece).slice(1, -1);
    yield '"';
  } else if (Array.isArray(value)) {
    yield* enclose("[", value.values(), toFragments, "]");
  } else if (isRecord(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    yield* enclose("{", fields.values(), toFieldFragments, "}");
  }
}

function* toFieldFragments([name, value]: [string, unknown]): Generator<string> {
  yield `${JSON.stringify(name)}:`;
  yield* toFragments(value);
}

function* enclose<Item>(
  opening: string,
  items: Iterable<Item>,
  toItemFragments: (item: Item) => Generator<string>,
  closing: string,
): Generator<string> {
  let separator = opening;
  for (const item of items) {
    yield separator;
    yield* toItemFragments(item);
    separator = ",";
  }
  yield closing;
}
