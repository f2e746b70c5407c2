/** The characters that an escape may stand for. The object is reused, so that reading allocates nothing. */
export interface Readings {
  count: number;
  /** The character's code units; the second is 0 if there is only one. */
  readonly first: number[];
  readonly second: number[];
  /** Where the text continues. */
  readonly end: number[];
  /** The text ends before the escape is complete. */
  isCut: boolean;
}

/** Reads the escapes of one text at a time. */
export interface EscapeReader {
  /** Must be called before the first `read` of another text. */
  reset(): void;
  /** The readings of the escape at a position, valid until the next call. */
  read(text: string, at: number): Readings;
}

/**
 * Understands escapes as in JSON, program text and shells, also where such text is quoted in JSON up to twice; percent-encoding, also
 * applied up to three times; HTML entities; and the plus sign of forms. There may be several readings of an escape, besides the
 * one in which it stands for itself.
 */
export function createEscapeReader(): EscapeReader {
  const readings: Readings = { count: 0, first: [], second: [], end: [], isCut: false };
  let readAt = -1;
  let isInLongRun = false;

  return {
    reset() {
      readAt = -1;
      isInLongRun = false;
    },
    read(text, at) {
      // A position is inspected together with the one before it, so it is often read twice in a row.
      if (at === readAt) return readings;
      if (isInLongRun && at === readAt + 1 && text.charCodeAt(at + MAX_BACKSLASHES) === BACKSLASH) {
        for (let index = 0; index < readings.count; index += 1) readings.end[index] = at + (2 << index);
      } else isInLongRun = readEscapes(text, at, readings);
      readAt = at;
      return readings;
    },
  };
}

const [BACKSLASH, PERCENT, AMPERSAND] = [0x5c, 0x25, 0x26] as const;
export const PLUS = 0x2b;

/** The characters that begin an escape. {@link PLUS} is another one for values that contain spaces. */
export const ESCAPE_STARTS: readonly number[] = [BACKSLASH, PERCENT, AMPERSAND];

/** Returns whether there are more backslashes than any escape has. */
function readEscapes(text: string, at: number, into: Readings): boolean {
  into.count = 0;
  into.isCut = false;
  switch (text.charCodeAt(at)) {
    case BACKSLASH:
      return readBackslashes(text, at, into);
    case PERCENT:
      for (let depth = 0; depth < MAX_DEPTH; depth += 1) if (!readPercent(text, at, depth, into)) break;
      break;
    case AMPERSAND:
      readEntity(text, at, into);
      break;
    case PLUS:
      add(into, 0x20, at + 1);
      break;
  }
  return false;
}

/** Text within JSON within JSON within JSON. */
const MAX_DEPTH = 3;
const MAX_BACKSLASHES = 2 ** MAX_DEPTH;
/** By the letter after a backslash: the character that the escape stands for, or 0. */
const LETTERS = new Uint8Array(0x1_00_00);
for (const [letter, character] of ["b\b", "f\f", "n\n", "r\r", "t\t", "//", "''"]) {
  LETTERS[letter?.charCodeAt(0) ?? 0] = character?.charCodeAt(0) ?? 0;
}
// A shell takes any punctuation after a backslash, or a space, for itself.
for (const character of "!#$&()*,-.:;<=>?@[]^_`{|}~%+ ") LETTERS[character.charCodeAt(0)] = character.charCodeAt(0);
const [QUOTE, LOWER_U, LOWER_X] = [0x22, 0x75, 0x78] as const;

/** Each level of quoting doubles the backslashes of a text and adds one before each quotation mark. */
function readBackslashes(text: string, at: number, into: Readings): boolean {
  let run = 1;
  while (run <= MAX_BACKSLASHES && text.charCodeAt(at + run) === BACKSLASH) run += 1;
  // A run this long can only stand for backslashes.
  if (run > MAX_BACKSLASHES) {
    for (let count = 2; count <= MAX_BACKSLASHES; count *= 2) add(into, BACKSLASH, at + count);
    return true;
  }
  into.isCut = at + run >= text.length && run < MAX_BACKSLASHES;
  for (let count = 1; count <= run; count *= 2) {
    if (count > 1) add(into, BACKSLASH, at + count);
    if (count < MAX_BACKSLASHES) readLetter(text, at + count, into);
    if (count * 2 - 1 <= run && text.charCodeAt(at + count * 2 - 1) === QUOTE) add(into, QUOTE, at + count * 2);
  }
  return false;
}

function readLetter(text: string, at: number, into: Readings): void {
  if (at >= text.length) return;
  const letter = text.charCodeAt(at);
  const character = LETTERS[letter] ?? 0;
  if (character !== 0) add(into, character, at + 1);
  const length = letter === LOWER_U ? 4 : letter === LOWER_X ? 2 : 0;
  if (length === 0) return;
  const code = readHex(text, at + 1, length);
  if (code === CUT) into.isCut = true;
  else if (code !== NONE && (length === 4 || code < 0x80)) add(into, code, at + 1 + length);
}

/** Returns whether the next depth is worth trying, which starts the same way. */
function readPercent(text: string, at: number, depth: number, into: Readings): boolean {
  const introducer = 1 + 2 * depth;
  if (depth > 0 && !text.startsWith("25", at + introducer - 2)) return false;
  const lead = readHex(text, at + introducer, 2);
  if (lead === CUT) into.isCut = true;
  if (lead < 0) return false;
  const size = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (size === 0) return false;
  let code = size === 1 ? lead : lead & (0x7f >> size);
  let end = at + introducer + 2;
  for (let more = 1; more < size; more += 1) {
    const byte = readHex(text, end + introducer, 2);
    if (byte === CUT || end >= text.length) into.isCut = true;
    if (byte < 0x80 || byte > 0xbf || !isSameIntroducer(text, at, end, introducer)) return false;
    code = (code << 6) | (byte & 0x3f);
    end += introducer + 2;
  }
  addCodePoint(into, code, end);
  return lead === PERCENT;
}

function isSameIntroducer(text: string, at: number, other: number, length: number): boolean {
  for (let index = 0; index < length; index += 1) {
    if (text.charCodeAt(at + index) !== text.charCodeAt(other + index)) return false;
  }
  return true;
}

const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|apos));/y;
const CUT_ENTITY = /&#?[\da-zA-Z]{0,8}$/y;
const NAMED: ReadonlyMap<string, number> = new Map([
  ["amp", AMPERSAND],
  ["lt", 0x3c],
  ["gt", 0x3e],
  ["quot", 0x22],
  ["apos", 0x27],
]);

function readEntity(text: string, at: number, into: Readings): void {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) {
    CUT_ENTITY.lastIndex = at;
    into.isCut = text.length - at < 10 && CUT_ENTITY.test(text);
    return;
  }
  const [whole, decimal, hex, name] = match;
  const code =
    name !== undefined
      ? (NAMED.get(name) ?? 0)
      : Number.parseInt(decimal ?? hex ?? "", decimal === undefined ? 16 : 10);
  if (code <= 0x10_ff_ff) addCodePoint(into, code, at + whole.length);
}

const [NONE, CUT] = [-1, -2] as const;

/** Returns the number, NONE if there is none, or CUT if the text ends within it. */
function readHex(text: string, at: number, length: number): number {
  let code = 0;
  for (let index = at; index < at + length; index += 1) {
    if (index >= text.length) return CUT;
    const digit = hexDigit(text.charCodeAt(index));
    if (digit < 0) return NONE;
    code = code * 16 + digit;
  }
  return code;
}

/** The value of a hexadecimal digit; negative for any other character. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function add(into: Readings, unit: number, end: number, second = 0): void {
  into.first[into.count] = unit;
  into.second[into.count] = second;
  into.end[into.count] = end;
  into.count += 1;
}

function addCodePoint(into: Readings, code: number, end: number): void {
  if (code <= 0xff_ff) add(into, code, end);
  else add(into, 0xd800 + ((code - 0x1_00_00) >> 10), end, 0xdc00 + ((code - 0x1_00_00) & 0x3ff));
}
