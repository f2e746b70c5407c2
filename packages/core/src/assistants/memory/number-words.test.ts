import { expect, test } from "vitest";
import { withFigures } from "./number-words.ts";

test.each([
  ["nine days", "9 days"],
  ["twenty-five seconds, twenty five minutes", "25 seconds, 25 minutes"],
  ["one hundred and twenty-five", "125"],
  ["two thousand five hundred", "2500"],
  ["two thousand three hundred and six rows", "2306 rows"],
  ["a hundred, one of them, twenty-one, no one", "a 100, one of them, 21, no one"],
  ["seven and eight, five six", "7 and 8, 5 6"],
  ["fünfzehn, fuenfzehn, zwölf, dreißig", "15, 15, 12, 30"],
  ["einundzwanzig hundertfünf zweihundertdreiunddreißig", "21 105 233"],
  ["zweitausenddreihundertfünfundzwanzig eintausend", "2325 1000"],
  ["weight, often, tausendfach, Hundertwasser", "weight, often, tausendfach, Hundertwasser"],
])("%j becomes %j", (text, expected) => expect(withFigures(text)).toBe(expected));
