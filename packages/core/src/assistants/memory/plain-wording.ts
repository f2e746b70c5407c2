import { withFigures } from "./number-words.ts";

const UNITS: Readonly<Record<string, string>> = {
  ms: "milliseconds",
  s: "seconds",
  sec: "seconds",
  secs: "seconds",
  min: "minutes",
  mins: "minutes",
  h: "hours",
  hr: "hours",
  hrs: "hours",
  x: "times",
  "%": "percent",
};
const MEASURE = /(?<=\d)[ \t]?(ms|secs?|s|mins?|hrs?|h|x|%)(?![\p{L}\p{N}_-])/gu;
/** `５` and its like. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfe_e0;

/**
 * A text with what it says in one of several spellings in the same one: number words, units, contracted negations, typographic
 * and full-width characters, and without the signs of Markdown.
 */
export function plainWording(text: string): string {
  const plain = text
    .replaceAll(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replaceAll(/[’ʼ]/g, "'")
    .replaceAll(/[`*]+/g, "")
    .replaceAll(/\bcan(?:'t|not)\b/gi, "can not")
    .replaceAll(/\bwon't\b/gi, "will not")
    .replaceAll(/n't\b/gi, " not")
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  return withFigures(plain)
    .replaceAll(/(?<![\d.])(\d{1,15})\s?\(\1\)/g, "$1")
    .replaceAll(MEASURE, (_measure, unit: string) => ` ${UNITS[unit] ?? unit}`);
}
