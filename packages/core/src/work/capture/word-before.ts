import { BLOCKING, NUMBERED, WEEKDAYS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** "3", "2.5kg", "10k" */
export const QUANTITY = /^\d+(?:[.,]\d+)?(?:k|km|m|mi|miles?|kg|g|l|x)?$/;

/** Whether the word before belongs to the moment and says that it is not when the task is due. */
export function isBlocked(words: readonly Word[], from: number): boolean {
  const before = words[from - 1];
  if (before === undefined || before.isSigil) return false;
  // "Text Amy re: Thursday"
  if (before.endsPhrase) return SUBJECT_MARKS.test(before.lower);
  // "sign up for swimming, starts Dec 5"
  const isStart = words[from - 2]?.endsPhrase === true && STARTS.test(before.lower);
  return isStart || BLOCKING.has(before.lower) || isTitleOfPerson(before, words[from]);
}

/** "Prof. Freitag", but not "email prof friday" */
function isTitleOfPerson({ text, lower }: Word, name: Word | undefined): boolean {
  const isGerman = WEEKDAYS.get(name?.lower ?? "")?.language === "de";
  return PERSON_TITLES.test(lower) && (isGerman || /^\p{Lu}/u.test(text));
}

const PERSON_TITLES = /^(?:prof|professor|professorin|doktor|pfarrer|pfarrerin|pastor|familie|fräulein|miss|sir)$/;
const SUBJECT_MARKS = /^(?:re|aw|betreff|betr|wg)$/;
const STARTS = /^(?:starts?|begins?|beginn|beginnt|startet|opens?|einlass|anpfiff)$/;

/** "Art.-Nr. 12.04.33" */
export function isNumbered(word: string): boolean {
  return NUMBERED.has(word) || /-(?:nr|no|nummer)$/.test(word);
}
