import { foldText } from "../fold-text.ts";
import { inSlices } from "../in-slices.ts";
import { baseForm } from "./irregular-words.ts";
import { toDay, toMonth } from "./named-days.ts";

/** A lexeme of PostgreSQL has at most 2,046 bytes; what is longer than this is no word. */
const MAX_WORD_LENGTH = 80;
/** What is longer than this before it is folded is an identifier only if it consists mostly of marks. */
const LONG_TOKEN_LENGTH = 1_000;

/** Scripts that are written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_RUN = new RegExp(`${UNSPACED.source}+|(?:(?!${UNSPACED.source})[\\p{L}\\p{M}\\p{N}])+`, "gu");

/** Where the parts of an identifier meet: `getUser`, `HTTPServer`, `utf8`, but not the plural in `URLs`. */
const PART_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{L}{2})(?=\p{N})/gu;
/** Most words of a text in Latin script: lower case, with no more than the punctuation of a sentence after them. */
const PLAIN_WORD = /^([a-z]{1,80})[.,;:!?]?$/;
/** What separates words: also what joins them to no identifier, such as `red|green` and `red,green`, but not "40,000". */
const BETWEEN_WORDS = /(?:[\s|;]|,(?!\d))+/u;
const LEADING_PUNCTUATION = /^[^\p{L}\p{N}/._@$]+/u;
const LAST_CHARACTER = /[\p{L}\p{M}\p{N}/_]/u;
const INNER_PUNCTUATION = /[^\p{L}\p{M}\p{N}]/u;
/** What English joins to a word by an apostrophe. */
const CONTRACTION = /(?:n['’]t|['’](?:s|re|ve|ll|d|m))$/i;

/** The dictionaries of scripts that are used by hardly more than one language. */
const DICTIONARY_OF_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/^\p{Script=Latin}/u, ""],
  [/^\p{Script=Cyrillic}/u, "russian_stem"],
  [/^\p{Script=Greek}/u, "greek_stem"],
  [/^\p{Script=Arabic}/u, "arabic_stem"],
  [/^\p{Script=Armenian}/u, "armenian_stem"],
  [/^\p{Script=Devanagari}/u, "hindi_stem"],
  [/^\p{Script=Tamil}/u, "tamil_stem"],
];

/** A word as search sees it, folded. */
export interface SearchWord {
  readonly text: string;
  /** Counts the words from 1. An identifier has the position of its first part. */
  readonly position: number;
  /**
   * What reduces the word to its stem: a dictionary of PostgreSQL, `""` for that of the text's language, or null for a word
   * that has no stem, such as an identifier or a number.
   */
  readonly dictionary: string | null;
}

/** A word of a query: it is found by its text or, if it is an identifier, by its parts next to each other. */
export interface QueryWord extends SearchWord {
  readonly parts: readonly SearchWord[];
}

/**
 * The words of a text. Identifiers such as `readFile`, `src/main.ts` and `--dry-run` count as they are and by their parts; text
 * in scripts without spaces is cut into overlapping pairs of characters; irregular English forms become regular.
 */
export function searchWords(text: string): SearchWord[] {
  const words: SearchWord[] = [];
  for (const { text: word, position, dictionary, parts } of queryWords(text)) {
    words.push({ text: word, position, dictionary }, ...parts);
  }
  return words;
}

/** Like {@link searchWords}, for a text of any length: yields to other work in between. */
export async function searchWordsInSlices(text: string): Promise<SearchWord[]> {
  const plain: QueryWord[] = [];
  await inSlices(plainWords(text), (word) => plain.push(word));
  const words: SearchWord[] = [];
  const add = ({ text: word, position, dictionary, parts }: QueryWord): void => {
    words.push({ text: word, position, dictionary }, ...parts);
  };
  await inSlices(plain, add);
  await inSlices(namedDays(plain), add);
  return words;
}

/** The words of a query, in the order given, and the days of a year that they name. */
export function queryWords(text: string): QueryWord[] {
  const words = [...plainWords(text)];
  return [...words, ...namedDays(words)];
}

function* plainWords(text: string): Generator<QueryWord> {
  let position = 0;
  for (const chunk of text.split(BETWEEN_WORDS)) {
    const plain = PLAIN_WORD.exec(chunk)?.[1];
    if (plain !== undefined) {
      yield { text: baseForm(plain), position: (position += 1), dictionary: "", parts: [] };
      continue;
    }
    const token = trimPunctuation(chunk).replace(CONTRACTION, "");
    const isLong = token.length > LONG_TOKEN_LENGTH && foldText(token).length > MAX_WORD_LENGTH;
    if (isLong || UNSPACED.test(token)) {
      for (const part of partsOf(token)) yield { ...part, position: (position += 1), parts: [] };
      continue;
    }
    const parts = Array.from(partsOf(token), (part) => ({ ...part, position: (position += 1) }));
    const literal = parts.length > 1 ? foldText(token) : "";
    if (parts[0] !== undefined && parts.length > 1 && literal.length <= MAX_WORD_LENGTH)
      yield { text: literal, position: parts[0].position, dictionary: null, parts };
    else for (const part of parts) yield { ...part, parts: [] };
  }
}

function* partsOf(token: string): Generator<Omit<SearchWord, "position">> {
  for (const words of token.split(INNER_PUNCTUATION))
    for (const part of words.split(PART_BOUNDARY)) yield* toWords(part);
}

function trimPunctuation(chunk: string): string {
  let end = chunk.length;
  while (end > 0) {
    const isPair = (chunk.codePointAt(end - 2) ?? 0) > 0xffff;
    const start = isPair ? end - 2 : end - 1;
    if (LAST_CHARACTER.test(chunk.slice(start, end))) break;
    end = start;
  }
  return chunk.slice(0, end).replace(LEADING_PUNCTUATION, "");
}

/** Days such as "25 May" and "May 25th", as words of their own. */
function namedDays(words: readonly QueryWord[]): QueryWord[] {
  return words.flatMap(({ text, position }, index) => {
    const month = toMonth(text);
    if (month === undefined) return [];
    const days = [words[index - 1], words[index + 1]].map((word) =>
      word === undefined ? undefined : toDay(word.text),
    );
    const day = days.find((number) => number !== undefined);
    return day === undefined ? [] : [{ text: `${month}/${day}`, position, dictionary: null, parts: [] }];
  });
}

function* toWords(part: string): Generator<Omit<SearchWord, "position">> {
  for (const [run] of part.matchAll(UNSPACED_RUN)) {
    const folded = foldText(run.normalize("NFKC"));
    if (UNSPACED.test(run)) for (const text of pairs(folded)) yield { text, dictionary: null };
    else if (folded.length <= MAX_WORD_LENGTH) {
      const text = baseForm(folded);
      yield { text, dictionary: DICTIONARY_OF_SCRIPT.find(([script]) => script.test(text))?.[1] ?? null };
    }
  }
}

/** Each two characters next to each other; a single one as it is. */
function* pairs(text: string): Generator<string> {
  let previous: string | undefined;
  let count = 0;
  for (const character of text) {
    if (previous !== undefined) yield previous + character;
    previous = character;
    count += 1;
  }
  if (count === 1 && previous !== undefined) yield previous;
}
