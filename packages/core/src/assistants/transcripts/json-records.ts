/** More values than any assistant writes in one record. Since parsing takes time per value, this bounds the time per record. */
const MAX_VALUES = 20_000;
/** Characters to scan between two pauses for other work; takes well below a millisecond. */
const SLICE_LENGTH = 65_536;
const LIST_KEY = '"messages"';
const MAX_KEY_LENGTH = 20;

/** The position of a record in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The structure of a JSON document, found without parsing it. */
export interface JsonDocument {
  /** The position after its last character. */
  readonly end: number;
  /** The objects in it if it is a list or has a list of `messages`; null if there is no such list. */
  readonly records: readonly Span[] | null;
  /** Whether it is small enough to be parsed as a whole. */
  readonly isSmall: boolean;
}

/**
 * Finds the records of the JSON document that starts at `from` without parsing it, because parsing a whole transcript in one
 * step takes too long. Returns null if the document is incomplete. Yields between slices of the text, so that the caller can
 * let other work run. Records of more than {@link MAX_VALUES} values are left out.
 */
export function* findJsonRecords(text: string, from: number): Generator<undefined, JsonDocument | null> {
  const listDepth = text[from] === "[" ? 1 : 2;
  let records: Span[] | null = null;
  let isInList = false;
  let [depth, values, valuesBefore, start] = [0, 1, 0, 0];
  let key = "";
  let pauseAt = from;
  for (let at = from; at < text.length; at += 1) {
    if (at >= pauseAt) {
      yield undefined;
      pauseAt = at + SLICE_LENGTH;
    }
    switch (text.charAt(at)) {
      case '"': {
        const end = yield* endOfString(text, at);
        // The key of a list is the last string before it.
        if (depth === 1) key = text.slice(at, Math.min(end, at + MAX_KEY_LENGTH));
        at = end - 1;
        break;
      }
      case ",":
        values += 1;
        break;
      case "{":
        if (isInList && depth === listDepth) [start, valuesBefore] = [at, values];
        values += 1;
        depth += 1;
        break;
      case "[":
        values += 1;
        depth += 1;
        if (depth !== listDepth || (listDepth === 2 && key !== LIST_KEY)) break;
        isInList = true;
        records = [];
        break;
      case "]":
      case "}":
        depth -= 1;
        if (depth < listDepth) isInList = false;
        else if (isInList && depth === listDepth && text[at] === "}" && values - valuesBefore <= MAX_VALUES) {
          records?.push({ start, end: at + 1 });
        }
        if (depth <= 0) return { end: at + 1, records, isSmall: values <= MAX_VALUES };
        break;
      default:
    }
  }
  return null;
}

/** The position after the string that starts at `start`, or after the text if the string is incomplete. */
function* endOfString(text: string, start: number): Generator<undefined, number> {
  let pauseAt = start + SLICE_LENGTH;
  for (let at = start + 1; at < text.length; at += 1) {
    if (at >= pauseAt) {
      yield undefined;
      pauseAt = at + SLICE_LENGTH;
    }
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return text.length;
}
