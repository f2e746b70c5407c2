/** More than any assistant writes in one record. Parsing takes time for each value, so this bounds the time of a record. */
const MAX_VALUES = 20_000;
/** Characters that are looked at between two chances for other work; well below a millisecond. */
const STRETCH = 65_536;
const LIST_KEY = '"messages"';
const LONGEST_KEY = 20;

/** Where a record is in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A JSON document, as far as its marks of structure show it. */
export interface JsonDocument {
  /** Behind its last character. */
  readonly end: number;
  /** The objects in it, where it is a list or has a list of `messages`; null where it has no such list. */
  readonly records: readonly Span[] | null;
  /** Whether it may be parsed as a whole. */
  readonly isSmall: boolean;
}

/**
 * Finds the records of the JSON document that begins at `from`, without parsing it: a whole transcript takes too long for
 * one step. It answers null where the document does not end. Yields between stretches of the text, so that its reader can
 * let others work; records of more than {@link MAX_VALUES} values are left out.
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
      pauseAt = at + STRETCH;
    }
    switch (text.charAt(at)) {
      case '"': {
        const end = yield* endOfString(text, at);
        // The key of a list is the last text in front of it.
        if (depth === 1) key = text.slice(at, Math.min(end, at + LONGEST_KEY));
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

/** The place behind the string that begins at `start`, or behind the text where it does not end. */
function* endOfString(text: string, start: number): Generator<undefined, number> {
  let pauseAt = start + STRETCH;
  for (let at = start + 1; at < text.length; at += 1) {
    if (at >= pauseAt) {
      yield undefined;
      pauseAt = at + STRETCH;
    }
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return text.length;
}
