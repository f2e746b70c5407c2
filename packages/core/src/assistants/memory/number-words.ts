import { foldText } from "../../platform/fold-text.ts";

const ENGLISH_UNITS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const ENGLISH_TENS = "- ten twenty thirty forty fifty sixty seventy eighty ninety";
const GERMAN_UNITS =
  "null eins zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf dreizehn vierzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn";
const GERMAN_TENS = "- zehn zwanzig dreissig vierzig fuenfzig sechzig siebzig achtzig neunzig";

const VALUES = new Map<string, number>([
  ...[ENGLISH_UNITS, GERMAN_UNITS].flatMap((row) => row.split(" ").map((word, value) => [word, value] as const)),
  ...[ENGLISH_TENS, GERMAN_TENS].flatMap((row) => row.split(" ").map((word, value) => [word, 10 * value] as const)),
]);
const MULTIPLIERS = new Map([
  ["hundred", 100],
  ["thousand", 1000],
]);
/** Often a pronoun, or "nothing": a number only as a part of another one. */
const AMBIGUOUS = new Set(["one", "null"]);

const GERMAN_THOUSANDS = /^(\p{L}{0,40}?)tausend(?:und)?(\p{L}{0,40})$/u;
const GERMAN_HUNDREDS = /^(\p{L}{0,12}?)hundert(?:und)?(\p{L}{0,40})$/u;
const GERMAN_TENS_AND_UNIT = /^(ein|zwei|drei|vier|fuenf|sechs|sieben|acht|neun)und(\p{L}{0,12}ig)$/u;

/** A word, and what joins it to the one before: "twenty-five", "two hundred and six". */
const WORD = /([ -](?:and )?)?([\p{L}\p{M}]{3,})/gu;

interface NumberInWords {
  value: number;
  /** The value of the last word, to which a smaller one can be added. */
  last: number;
  isAmbiguous: boolean;
}

/** German as it is written on a keyboard without umlauts. Folded text is expected. */
export function withoutUmlauts(folded: string): string {
  return folded.replaceAll("ä", "ae").replaceAll("ö", "oe").replaceAll("ü", "ue");
}

/** The text with figures instead of number words up to thousands, in English and German: "nine days" becomes "9 days". */
export function withFigures(text: string): string {
  let written = "";
  let end = 0;
  let number: NumberInWords | undefined;
  let numberEnd = 0;
  let numberText = "";
  const finish = (): void => {
    if (number !== undefined) written += number.isAmbiguous ? numberText : String(number.value);
    number = undefined;
  };
  for (const { 0: whole, 1: joint = "", 2: word = "", index } of text.matchAll(WORD)) {
    const folded = withoutUmlauts(foldText(word));
    const joined = number !== undefined && index === numberEnd ? join(number, folded, joint) : undefined;
    if (joined !== undefined) {
      number = joined;
      numberText += whole;
    } else {
      const value = MULTIPLIERS.get(folded) ?? valueOf(folded);
      finish();
      written += text.slice(end, index + joint.length);
      if (value === undefined) written += word;
      else number = { value, last: value, isAmbiguous: AMBIGUOUS.has(folded) };
      numberText = word;
    }
    end = index + whole.length;
    numberEnd = end;
  }
  finish();
  return written + text.slice(end);
}

/** A number with one more word, if that belongs to it. */
function join(number: NumberInWords, word: string, joint: string): NumberInWords | undefined {
  const { value, last } = number;
  const multiplier = MULTIPLIERS.get(word);
  if (multiplier !== undefined) {
    const group = value % 1000;
    if (group === 0 || group >= multiplier || (multiplier === 1000 && value !== group)) return undefined;
    return { value: value - group + group * multiplier, last: multiplier, isAmbiguous: false };
  }
  const added = valueOf(word);
  if (added === undefined || added === 0) return undefined;
  const isAfterMultiplier = last === 100 || last === 1000;
  const isUnitAfterTens = last >= 20 && last < 100 && last % 10 === 0 && added < 10 && !joint.includes("and");
  if (!(isAfterMultiplier && added < 100) && !isUnitAfterTens) return undefined;
  return { value: value + added, last: added, isAmbiguous: false };
}

function valueOf(word: string): number | undefined {
  const known = VALUES.get(word);
  if (known !== undefined) return known;
  const [, thousands, belowThousand = ""] = GERMAN_THOUSANDS.exec(word) ?? [];
  if (thousands !== undefined) return sum(partOf(thousands, 1000), belowThousand === "" ? 0 : valueOf(belowThousand));
  const [, hundreds, belowHundred = ""] = GERMAN_HUNDREDS.exec(word) ?? [];
  if (hundreds !== undefined) return sum(partOf(hundreds, 100), belowHundred === "" ? 0 : valueOf(belowHundred));
  const [, unit = "", tens = ""] = GERMAN_TENS_AND_UNIT.exec(word) ?? [];
  return unit === "" ? undefined : sum(VALUES.get(tens), unit === "ein" ? 1 : VALUES.get(unit));
}

function partOf(count: string, multiplier: number): number | undefined {
  if (count === "" || count === "ein") return multiplier;
  const value = valueOf(count);
  return value === undefined ? undefined : value * multiplier;
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
