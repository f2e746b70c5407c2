/**
 * English words that say nothing about what a text is about. They never count, as they do not in PostgreSQL's dictionary,
 * from which they are.
 */
const STOP_WORDS = new Set(
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
  itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
  has had having do does did doing a an the and but if or because as until while of at by for with about against between
  into through during before after above below to from up down in out on off over under again further then once here there
  when where why how all any both each few more most other some such no nor not only own same so than too very s t can will
  just don should now`.split(/\s+/),
);

const ENGLISH = /^[a-z]{3,}$/;
const HAS_VOWEL = /[aeiouy]/;

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/**
 * Reduces the forms of an English word to one: "releases", "released" and "releasing" become "releas". Lighter than the
 * dictionary of the server, which knows more languages. Expects a folded word.
 */
export function stem(word: string): string {
  return ENGLISH.test(word) ? withoutLastLetter(withoutSuffix(singular(word))) : word;
}

function singular(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2);
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutSuffix(word: string): string {
  const root = /^(?:(.{2,})(?:ing|(?<!e)ed)|(.{3,})(?:ment|ness|ly|er|or|able))$/.exec(word)?.slice(1).join("");
  if (root !== undefined && HAS_VOWEL.test(root)) return root;
  return /[st]ion$/.test(word) && word.length > 5 ? word.slice(0, -3) : word;
}

/** A final e, a doubled consonant, and y in place of i come and go with suffixes. */
function withoutLastLetter(word: string): string {
  if (word.endsWith("e") || /([^aeiou])\1$/.test(word)) return word.slice(0, -1);
  return word.endsWith("y") ? `${word.slice(0, -1)}i` : word;
}
