import { dateOf, type Day } from "./calendar-day.ts";
import { minutesOf, readTime } from "./clock-time.ts";
import { lowerAt, type DayContext } from "./day-read.ts";
import { readMoment } from "./moments.ts";
import { DAY_PARTS, TIME_LEADS, type DayPart } from "./vocabulary.ts";
import type { Word } from "./words.ts";

/** What may follow the words for a repetition: "at 9am", "from Monday", "until December", "10 times", "after completion". */
export interface RepeatTail {
  readonly to: number;
  /** The time of day, in minutes since midnight. */
  readonly minutes: number | null;
  readonly start: Day | null;
  /** The end of the rule, as iCalendar writes it; empty for none. */
  readonly end: string;
  readonly isFromCompletion: boolean;
}

const START = /^(?:from|starting|beginning|ab|beginnend)$/;
const START_FILLER = /^(?:on|from|ab|am|dem|den)$/;
const UNTIL = /^(?:until|till|til|bis)$/;
const UNTIL_FILLER = /^(?:the|zum|zur)$/;
const FROM_COMPLETION = [
  ["after", "completion"],
  ["after", "completing"],
  ["after", "finishing"],
  ["from", "completion"],
  ["nach", "erledigung"],
  ["nach", "abschluss"],
] as const;
const MAX_COUNT = 365;

/** With the part of the day that the repetition names. */
type TailContext = DayContext & { readonly part: DayPart | null };

/** Reads what follows the words for a repetition, from the first word after them. */
export function readTail(words: readonly Word[], index: number, context: TailContext): RepeatTail {
  let tail: RepeatTail = { to: index, minutes: null, start: null, end: "", isFromCompletion: false };
  for (;;) {
    const next =
      completion(words, tail) ??
      times(words, tail) ??
      until(words, tail, context) ??
      start(words, tail, context) ??
      time(words, tail, context) ??
      partOfDay(words, tail);
    if (next === null) return tail;
    tail = { ...tail, ...next };
  }
}

type TailPart = Partial<RepeatTail> & Pick<RepeatTail, "to">;

/** Whether "after completion" or its like is here. */
export function isFromCompletionAt(words: readonly Word[], index: number): boolean {
  return FROM_COMPLETION.some(
    ([first, second]) => lowerAt(words, index) === first && lowerAt(words, index + 1) === second,
  );
}

function completion(words: readonly Word[], { to, isFromCompletion }: RepeatTail): TailPart | null {
  return isFromCompletionAt(words, to) && !isFromCompletion ? { to: to + 2, isFromCompletion: true } : null;
}

/** "10 times", "for 3 times", "5 mal", "5x". */
function times(words: readonly Word[], { to, end }: RepeatTail): TailPart | null {
  const at = lowerAt(words, to) === "for" ? to + 1 : to;
  const [, joined] = /^(\d{1,3})(?:x|mal)$/.exec(lowerAt(words, at)) ?? [];
  const isSpaced = /^\d{1,3}$/.test(lowerAt(words, at)) && /^(?:times|mal)$/.test(lowerAt(words, at + 1));
  const count = Number(joined ?? (isSpaced ? lowerAt(words, at) : 0));
  if (count < 1 || count > MAX_COUNT || end !== "") return null;
  return { to: at + (joined === undefined ? 2 : 1), end: `;COUNT=${count}` };
}

function until(words: readonly Word[], { to, end }: RepeatTail, context: DayContext): TailPart | null {
  if (end !== "" || !UNTIL.test(lowerAt(words, to))) return null;
  const found = dayAt(words, UNTIL_FILLER.test(lowerAt(words, to + 1)) ? to + 2 : to + 1, context);
  return found && { to: found.to, end: `;UNTIL=${dateOf(found.day).replaceAll("-", "")}` };
}

function start(words: readonly Word[], tail: RepeatTail, context: DayContext): TailPart | null {
  const { to } = tail;
  if (tail.start !== null || !START.test(lowerAt(words, to))) return null;
  const found = dayAt(words, START_FILLER.test(lowerAt(words, to + 1)) ? to + 2 : to + 1, context);
  if (found === null || (found.minutes !== null && tail.minutes !== null)) return null;
  return { to: found.to, start: found.day, minutes: found.minutes ?? tail.minutes };
}

function time(words: readonly Word[], { to, minutes }: RepeatTail, { language, part }: TailContext): TailPart | null {
  if (minutes !== null) return null;
  const lead = lowerAt(words, to);
  const isLead = TIME_LEADS.has(lead);
  const read = readTime(words, isLead ? to + 1 : to, isLead ? lead : null);
  const found = read === null ? null : minutesOf(read, words, { part, language });
  return read === null || found === null ? null : { to: (isLead ? to + 1 : to) + read.count, minutes: found };
}

/** "every Tuesday night" */
function partOfDay(words: readonly Word[], { to, minutes }: RepeatTail): TailPart | null {
  const part = minutes === null && words[to - 1]?.endsPhrase === false ? DAY_PARTS.get(lowerAt(words, to)) : undefined;
  return part === undefined ? null : { to: to + 1, minutes: part.minutes };
}

/** A day that is not in the past, alone or with its time. */
function dayAt(
  words: readonly Word[],
  index: number,
  context: DayContext,
): { to: number; day: Day; minutes: number | null } | null {
  const moment = readMoment(words, index, context);
  if (moment === null || moment.isContradictory || moment.day === null || moment.day < context.today) return null;
  const [range] = moment.ranges;
  if (moment.ranges.length !== 1 || range?.from !== index || range.to !== moment.to) return null;
  return { to: moment.to, day: moment.day, minutes: moment.minutes };
}
