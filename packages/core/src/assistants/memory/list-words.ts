import { foldText } from "../../platform/fold-text.ts";

const MAX_WORDS = 12;
const MIN_WORD_LENGTH = 3;
/** From here on a text is taken for a question, whose words need not all occur in an answer. */
const QUESTION_WORDS = 3;

/** Words that questions are made of and that say nothing about what is asked for. */
const FILLERS = new Set(
  (
    "about all and any are can could did does for from get had has have how into its our out should that the their them " +
    "then there these they this use used using was were what when where which who why will with would you your"
  ).split(" "),
);

/** Whether a word says nothing about what a text is about. */
export function isFiller(word: string): boolean {
  return word.length < MIN_WORD_LENGTH || FILLERS.has(word);
}

/** Endings by which words of one stem differ; what is left finds all of them. */
const ENDING = /^([a-z]+?)(?:ies|ing|ed|es|s)$/;
const MIN_STEM_LENGTH = 4;

/**
 * What a memory must contain to be listed, newest first, under a text that was typed: one or two words as they are; of a
 * longer text, the stems of the words that carry its meaning.
 */
export function listWords(text: string): string[] {
  const all = [...new Set(foldText(text).split(/\s+/))].filter((word) => word !== "");
  if (all.length < QUESTION_WORDS) return all;
  const telling = all.map(trimPunctuation).filter((word) => !isFiller(word));
  return [...new Set(telling.length === 0 ? all : telling.map(stem))].slice(0, MAX_WORDS);
}

function trimPunctuation(word: string): string {
  return word.replace(/^[("'`]+/, "").replace(/(?<![)"'`?!.,;:])[)"'`?!.,;:]+$/, "");
}

function stem(word: string): string {
  const stemmed = word.replace(ENDING, "$1");
  return stemmed.length >= MIN_STEM_LENGTH ? stemmed : word;
}
