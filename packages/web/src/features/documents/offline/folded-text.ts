/** Letters that do not decompose into a base letter and marks, and the other form of the Greek sigma. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  æ: "ae",
  œ: "oe",
  ς: "σ",
};
const OTHER_LETTERS = /[ßøłđæœς]/g;
/** Marks of European scripts. In other scripts, marks make another letter. */
const MARKS = /[\u0300-\u036F]+/g;
const NOT_ASCII = /[^\0-\u007F]/;
/** In nearly every language a letter has at most one or two marks. Normalization sorts those of a letter, in quadratic time. */
const MANY_MARKS = /\p{M}{31}/u;
const UP_TO_MANY_MARKS = /\P{M}*\p{M}{0,30}/gu;
const QUOTES = /["“”„«»]/g;

/** A text in lower case without accents, and in one form of each letter, to compare it with another one. */
export function foldText(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  return MANY_MARKS.test(text) ? text.replace(UP_TO_MANY_MARKS, foldPart) : foldPart(text);
}

function foldPart(text: string): string {
  const plain = text.normalize("NFKD").replace(MARKS, "").toLowerCase();
  return plain.replace(OTHER_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** The folded words of a query, without quotes. */
export function foldedWordsOf(query: string): string[] {
  return foldText(query.replace(QUOTES, " "))
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** A part of a text. */
export interface TextPart {
  readonly start: number;
  readonly end: number;
}

/** Where folded words first stand in a text, as parts of the text itself. Words that it does not have are left out. */
export function findFolded(text: string, words: readonly string[]): TextPart[] {
  const folded = foldText(text);
  const found = words.flatMap((word) => {
    const start = folded.indexOf(word);
    return start < 0 ? [] : [{ start, end: start + word.length }];
  });
  if (found.length === 0 || !NOT_ASCII.test(text)) return found;
  const origins = originsOf(text);
  return found.map(({ start, end }) => {
    let next = end;
    while (next < origins.length && origins[next] === origins[end - 1]) next += 1;
    return { start: origins[start] ?? text.length, end: origins[next] ?? text.length };
  });
}

/** For each character of a folded text, where the one that it was made of begins. */
function originsOf(text: string): number[] {
  const origins: number[] = [];
  // A text has few different characters, and folding one takes longer than finding it here.
  const lengths = new Map<string, number>();
  let index = 0;
  for (const character of text) {
    const length = lengths.get(character) ?? foldText(character).length;
    lengths.set(character, length);
    for (let count = length; count > 0; count -= 1) origins.push(index);
    index += character.length;
  }
  return origins;
}
