import type { Pausable } from "../../../browser/compute-in-slices.ts";
import { diffLines } from "./line-diff.ts";

/** How many characters of a side of a difference are shown. */
export const MAX_SHOWN = 2_000;
/** Longer sides are not compared by word. */
const MAX_COMPARED = 10_000;
/** Finding this many words takes less than a millisecond. */
const WORDS_AT_ONCE = 200;
/** What is left of a long passage that is the same on both sides, at either end of it. */
const MAX_CONTEXT = 100;
/** Of sides with less in common than this share of the shorter one, nearly everything would be marked. */
const MIN_SHARE = 1 / 3;

/** A passage of a side; marked if the other side has something else there, or nothing. */
export interface Passage {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Both sides of a difference, in passages. */
export interface MarkedSides {
  /** The sides that were compared. */
  readonly of: readonly [readonly string[], readonly string[]];
  readonly ours: readonly Passage[];
  readonly theirs: readonly Passage[];
}

/**
 * Marks the words in which two sides of a difference differ. Where that is too long to be shown, passages that are the same are
 * shortened. Null if the sides are too long for that, or have too little in common.
 */
export function* markWords(ours: readonly string[], theirs: readonly string[]): Pausable<MarkedSides | null> {
  const [ourText, theirText] = [ours.join("\n"), theirs.join("\n")];
  if (Math.max(ourText.length, theirText.length) > MAX_COMPARED) return null;
  const ourWords = yield* wordsOf(ourText);
  const theirWords = yield* wordsOf(theirText);
  const chunks = yield* diffLines(ourWords, theirWords);
  const common = chunks.reduce((sum, { isSame, before }) => (isSame ? sum + lettersIn(before) : sum), 0);
  if (common < Math.max(1, Math.min(lettersIn(ourWords), lettersIn(theirWords)) * MIN_SHARE)) return null;
  const isLong = Math.max(ourText.length, theirText.length) > MAX_SHOWN;
  const runs = chunks.map((chunk, index) => {
    const isBetween = index > 0 && index < chunks.length - 1;
    // A space between two words that differ belongs to them.
    const isMarked = !chunk.isSame || (isBetween && /^ +$/.test(chunk.before.join("")));
    const textOf = (words: readonly string[]) =>
      isMarked || !isLong
        ? words.join("")
        : shortened(words, { isFirst: index === 0, isLast: !isBetween && index > 0 });
    return { isMarked, ours: textOf(chunk.before), theirs: textOf(chunk.after) };
  });
  const sides = { ours: passagesOf(runs, "ours"), theirs: passagesOf(runs, "theirs") };
  return Math.max(lengthOf(sides.ours), lengthOf(sides.theirs)) > MAX_SHOWN ? null : { of: [ours, theirs], ...sides };
}

/** Words, and what is between them. */
function* wordsOf(text: string): Pausable<string[]> {
  const words: string[] = [];
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) {
    words.push(segment);
    if (words.length % WORDS_AT_ONCE === 0) yield;
  }
  return words;
}

function lettersIn(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.trim().length, 0);
}

interface Run {
  readonly isMarked: boolean;
  readonly ours: string;
  readonly theirs: string;
}

/** The passages of one side; neighbours that are alike are one. */
function passagesOf(runs: readonly Run[], side: "ours" | "theirs"): Passage[] {
  const passages: Passage[] = [];
  for (const { isMarked, [side]: text } of runs) {
    const last = passages.at(-1);
    if (text === "") continue;
    if (last?.isMarked === isMarked) passages[passages.length - 1] = { text: last.text + text, isMarked };
    else passages.push({ text, isMarked });
  }
  return passages;
}

function lengthOf(passages: readonly Passage[]): number {
  return passages.reduce((sum, { text }) => sum + text.length, 0);
}

/** A passage that is the same on both sides, without its middle if it is long; at the ends of the text, without what is far away. */
function shortened(words: readonly string[], { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): string {
  const head = isFirst ? "" : beginningOf(words);
  const tail = isLast ? "" : beginningOf(words.toReversed(), (text, word) => word + text);
  const text = words.join("");
  return head.length + tail.length + 1 >= text.length ? text : `${head}…${tail}`;
}

/** The first words, as many as are shown of a passage. */
function beginningOf(words: readonly string[], join = (text: string, word: string) => text + word): string {
  let beginning = "";
  for (const word of words) {
    if (beginning.length + word.length > MAX_CONTEXT) break;
    beginning = join(beginning, word);
  }
  return beginning;
}
