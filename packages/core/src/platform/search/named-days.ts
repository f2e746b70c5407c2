import { ENGLISH_MONTHS } from "../month-names.ts";

const MIN_ABBREVIATION_LENGTH = 3;

/** The month that a folded word names, also abbreviated. */
export function toMonth(word: string): string | undefined {
  return word.length < MIN_ABBREVIATION_LENGTH ? undefined : ENGLISH_MONTHS.find((month) => month.startsWith(word));
}

/** The day of a month that a folded word names, as in "25" and "25th". */
export function toDay(word: string): number | undefined {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1];
  const day = Number(digits);
  return digits === undefined || day < 1 || day > 31 ? undefined : day;
}

/** A date in words, in UTC, as a text may name it. */
export function dateText(date: Date): string {
  return `${date.getUTCDate()} ${ENGLISH_MONTHS[date.getUTCMonth()] ?? ""} ${date.getUTCFullYear()}`;
}
