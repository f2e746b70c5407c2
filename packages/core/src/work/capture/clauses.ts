import { CLAUSE_STARTS, UNITS } from "./vocabulary.ts";
import type { Word } from "./words.ts";

const CONDITION = /^(?:if|unless|once|wenn|falls|sofern)$/;

const RELATIVE = /^(?:die|der|das|den|dem|welche[nrsm]?|was|wo|ob|which|who|that)$/;

const PRONOUN = /^(?:it|they|this|es|sie)$/;

/** Whether a day is in a clause such as "whether the shop is open Sunday". */
export function isInClause(words: readonly Word[], from: number): boolean {
  for (let index = from - 1; index > 0; index--) {
    const next = words[index + 1]?.lower ?? "";
    // ", die ich mir geliehen habe"
    if (words[index]?.endsPhrase === true && index + 1 < from && RELATIVE.test(next)) return true;
    if (words[index]?.endsPhrase === true) return false;
    // "Ticket sale opens Nov 30" has no other verb.
    const isVerb = words[index]?.lower === "opens" && !words.slice(0, index).some(({ endsPhrase }) => endsPhrase);
    if (CLAUSE_STARTS.has(words[index]?.lower ?? "") && !isVerb) return true;
    // "before signing", "before the price is raised"
    const isBefore = /^(?:before|after|bevor)$/.test(words[index]?.lower ?? "") && index + 1 < from;
    if (isBefore && (/.ing$/.test(next) || from - index > 3 || PRONOUN.test(next))) return true;
  }
  return false;
}

/** Whether a day is only counted from: "1 day before Dec 3", "zwei Wochen vor dem 1.12." */
export function isCountedBefore(words: readonly Word[], from: number): boolean {
  return /^(?:before|vor)$/.test(words[from]?.lower ?? "") && UNITS.has(words[from - 1]?.lower ?? "");
}

/** Whether a day is that of a condition: "if there is no answer by Friday", "wenn bis Freitag nichts kommt". */
export function isInCondition(words: readonly Word[], from: number): boolean {
  for (let index = from - 1; index > 0; index--) {
    if (words[index]?.endsPhrase === true) return false;
    if (CONDITION.test(words[index]?.lower ?? "")) return true;
  }
  return false;
}
