import { isStopWord, stem } from "./light-stemmer.ts";

/** A word as the local index has it. */
export interface IndexWord {
  /** Folded: the stem of a word, or one of several parts as it is. */
  readonly term: string;
  readonly isIdentifier: boolean;
  /** What a word such as `readFile` consists of. */
  readonly parts: readonly string[];
}

const MAX_TERM_LENGTH = 200;

interface Patterns {
  /** Where the parts of an identifier meet: `getUser`, `HTTPServer`, `utf8`, but not the plural in `URLs`. */
  readonly boundary: RegExp;
  readonly leadingPunctuation: RegExp;
  readonly lastCharacter: RegExp;
}

const ASCII_PATTERNS: Patterns = {
  boundary: /[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=[A-Za-z]{2})(?=[0-9])/,
  leadingPunctuation: /^[^A-Za-z0-9/._@$]+/,
  lastCharacter: /^[A-Za-z0-9/_]$/,
};
/** Made for texts that need them: a pattern of Unicode takes a hook milliseconds as soon as it exists. */
const unicodePatterns = (): Patterns => ({
  boundary: /[^\p{L}\p{M}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})|(?<=\p{L}{2})(?=\p{N})/u,
  leadingPunctuation: /^[^\p{L}\p{N}/._@$]+/u,
  lastCharacter: /^[\p{L}\p{M}\p{N}/_]$/u,
});
const CONTRACTION = /(?:n['’]t|['’](?:s|re|ve|ll|d|m))$/i;
/** Matches the scripts that are written without spaces between words. */
const unspaced = (): RegExp =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const ASCII = /^[\0-\x7f]*$/;
/** A place in a file, as compilers print it. */
const LINE_NUMBER = /(?::\d+){1,2}$/;

/**
 * The words of a text in order, by nearly the same rules as those of the server's search: stop words do not count, identifiers
 * stand for themselves and for their parts, and text in scripts without spaces is cut into overlapping pairs of characters.
 */
export function indexWords(text: string): IndexWord[] {
  const isAscii = ASCII.test(text);
  const patterns = isAscii ? ASCII_PATTERNS : unicodePatterns();
  const words: IndexWord[] = [];
  for (const chunk of (isAscii ? text : text.normalize("NFKC")).split(/\s+/)) {
    if (chunk === "") continue;
    const token = withoutPunctuation(chunk, patterns).replace(CONTRACTION, "");
    const parts = token.split(patterns.boundary).filter((part) => part !== "");
    if (!isAscii && unspaced().test(token)) words.push(...parts.flatMap(pairs).map(plain));
    else if (parts.length > 1) words.push(compound(token, parts));
    else words.push(...stems(parts).map(plain));
  }
  return words;
}

/** Without punctuation before and after. */
function withoutPunctuation(chunk: string, { leadingPunctuation, lastCharacter }: Patterns): string {
  const characters = Array.from(chunk.replace(leadingPunctuation, ""));
  return characters.slice(0, characters.findLastIndex((character) => lastCharacter.test(character)) + 1).join("");
}

/** An identifier in the form in which it is compared with others: without the number of a line, in small letters. */
export function plainIdentifier(token: string): string {
  return token.replace(LINE_NUMBER, "").replace(/^\.\//, "").toLowerCase().slice(0, MAX_TERM_LENGTH);
}

/** The ends of a path, by which it is found as well: `src/main.ts` by `main.ts`. */
export function pathEnds(path: string): string[] {
  const starts = [...path.matchAll(/\/(?=.)/g)].map(({ index }) => path.slice(index + 1));
  return starts.filter((end) => /[^A-Za-z0-9\x80-\uffff]/.test(end));
}

/** Without its stop words "off-by-one" is a word, and "40,000" is a number: neither is an identifier. */
function compound(token: string, parts: readonly string[]): IndexWord {
  const known = stems(parts);
  const isIdentifier = known.length > 1 && known.some((part) => /\D/.test(part));
  return { term: plainIdentifier(token), isIdentifier, parts: known };
}

function plain(term: string): IndexWord {
  return { term, isIdentifier: false, parts: [] };
}

function stems(parts: readonly string[]): string[] {
  return parts
    .map((part) => part.toLowerCase())
    .filter((word) => !isStopWord(word) && word.length <= MAX_TERM_LENGTH)
    .map(stem);
}

function pairs(text: string): string[] {
  const characters = Array.from(text.toLowerCase());
  return characters.length === 1 ? characters : characters.slice(1).map((next, index) => `${characters[index]}${next}`);
}
