/** A text made of a prefix, a repeated part and a suffix: the shape of nearly every input that makes a parser slow. */
export interface Candidate {
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".split("");
const CHARACTERS = [
  "a",
  "A",
  "z",
  "0",
  "1",
  " ",
  "\t",
  "\n",
  "\r\n",
  "é",
  "ß",
  "İ",
  "ς",
  "\u0300",
  "\u0345",
  "가",
  "😀",
];
const WORDS = [
  ..."]( [[ ]] ![[ ![ [x] ``` ~~~ --- *** ** __ ~~ <!-- --> <a </a> <b> <br> <![CDATA[ <? && || $( ${ $(( << <<< >> ../ ./ // /* */ {{ }}".split(
    " ",
  ),
  ..."a. a@ a=b a: a, a/ -a --a=b http:// www. mailto: &amp; &#x 0.0 eval bash sh -c sudo cat rm echo password= token: key AKIA Bearer".split(
    " ",
  ),
  "- ",
  "1. ",
  "> ",
  "# ",
  " #",
  "| ",
  "|-",
  "a ",
  " a",
  "\n\n",
  "\n- ",
  "\n> ",
  "\n#",
  "\n```",
  "\n    ",
  "a\n",
  ": ",
  "? ",
  "a: b\n",
  "&a ",
  "*a ",
  "%61",
  "25",
  '"a"',
  "'a'",
  '\\"',
  "\\\n",
  "eyJ",
  "sk-",
  "-----BEGIN PRIVATE KEY-----\n",
  "git ",
  "<aside>\n",
];

const TOKENS = [...PUNCTUATION, ...CHARACTERS, ...WORDS];
const ENDS = ["", "\n", "!", "a", ")", "]", ">", '"', "'", "`", "}", "\0"];

/**
 * All repetitions of one token after each opening and of two after the first opening, and a sample of longer ones with other
 * prefixes and suffixes. The sequence is always the same, so that findings can be reproduced.
 */
export function* candidates(openings: readonly string[], samples: number): Generator<Candidate> {
  const random = createRandom(1);
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? "";
  for (const prefix of openings) {
    for (const pump of TOKENS) for (const suffix of ["", "!", "\n"]) yield { prefix, pump, suffix };
  }
  const [prefix = ""] = openings;
  for (const one of TOKENS) for (const other of TOKENS) yield { prefix, pump: one + other, suffix: "" };
  for (let sample = 0; sample < samples; sample += 1) {
    const pump = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(TOKENS)).join("");
    const prefix = pick(openings) + (random() < 0.5 ? "" : pick(TOKENS) + (random() < 0.5 ? "" : pick(TOKENS)));
    yield { prefix, pump, suffix: random() < 0.5 ? pick(ENDS) : pick(TOKENS) };
  }
}

/** The candidate as a text of at most `maxCharacters` characters. */
export function toText({ prefix, pump, suffix }: Candidate, length: number): string {
  const count = Math.max(1, Math.floor((length - prefix.length - suffix.length) / pump.length));
  return prefix + pump.repeat(count) + suffix;
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
