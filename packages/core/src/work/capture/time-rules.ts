import { isInClause } from "./clauses.ts";
import type { Moment } from "./moments.ts";
import { isClosed, isPhraseEnd } from "./phrase-end.ts";
import { NUMBERED } from "./vocabulary.ts";
import { isBlocked } from "./word-before.ts";
import type { Word } from "./words.ts";

/** Whether a time without a day is when the task is due. */
export function isDueTime(moment: Moment, words: readonly Word[]): boolean {
  const { time } = moment;
  if (time === null || isInClause(words, moment.from)) return false;
  const { read, lead } = time;
  // "tickets for the train at 9:14"
  const isOfRide = RIDES.test(words[moment.from - 1]?.lower ?? "") && OF_THE.test(words[moment.from - 2]?.lower ?? "");
  if (isOfRide) return false;
  // "Fast until noon" says how long.
  if (lead === "until" || lead === "till") return false;
  if (lead === null && isBlocked(words, moment.from)) return false;
  switch (read.form) {
    case "certain":
    case "clock": {
      const before = words[moment.from - 1];
      // "measure up at 14 Mill Lane"
      if (lead === "at" && /^\d{1,2}$/.test(words[moment.from + 1]?.lower ?? "") && read.count === 1)
        return isPhraseEnd(moment, words);
      // "UA 9 am" begins with the number of a flight.
      if (lead !== null) return true;
      if (NUMBERED.has(before?.lower ?? "") || /^[A-Z]{2}$/.test(before?.text ?? "")) return false;
      // "the 9pm rule"
      if (isBeforeRepeat(moment, words)) return true;
      if (read.language === "en") return moment.from === 0 || isPhraseEnd(moment, words);
      const isWithUnit = time.range.to - time.range.from > 1;
      if (isWithUnit || !/^\d{1,2}:\d{2}$/.test(words[time.range.from]?.lower ?? "")) return true;
      // "14:00 quote for the decking"
      if (moment.from === 0 && read.minute % 15 === 0 && read.hour >= 7 && words.length > 2) return true;
      // Without a preposition 16:9 and 3:16 may be anything, and 1:20 may be how something is mixed.
      if (words.some(({ lower }) => RATIOS.test(lower))) return false;
      return moment.from > 0 && isClosed(moment, words) && read.minute % 5 === 0;
    }
    case "oclock":
      return true;
    case "bare":
    case "spoken":
      return lead !== null && (isPhraseEnd(moment, words) || read.language === "de");
  }
}

const RATIOS = /^(?:dilute|mix|ratio|scale|odds|verdünnen|mischen|mischung|maßstab|verhältnis)$/;
const OF_THE = /^(?:the|a|die|der|das|den|dem|einen?|im|vom|zum|zur)$/;
const RIDES = /^(?:train|bus|flight|ferry|tram|zug|ice|bus|flug|fähre|bahn|s-bahn)$/;

/** "9:15 every weekday", "3:20pm Mondays" */
function isBeforeRepeat({ to }: Moment, words: readonly Word[]): boolean {
  return /^(?:every|each|jede[nrs]?|daily|täglich|[a-z]+days)$/.test(words[to]?.lower ?? "");
}
