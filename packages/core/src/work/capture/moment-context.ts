import { parseDay } from "./calendar-day.ts";
import type { CaptureContext } from "./captured-task.ts";
import type { DayContext, SlashOrder } from "./day-read.ts";
import type { WordLanguage } from "./vocabulary.ts";

const MONDAY = 1;

/** What days and times are read against: now, the language, and the habits of its country. */
export function momentContext({
  wallClock,
  language,
  firstWeekday = MONDAY,
}: CaptureContext): DayContext & { readonly minutesNow: number } {
  const at = (minutesFromNow: number) => {
    const { date, time } = wallClock(minutesFromNow);
    const [hours, minutes] = time.split(":").map(Number);
    return { day: parseDay(date) ?? 0, minutes: (hours ?? 0) * 60 + (minutes ?? 0) };
  };
  const now = at(0);
  return {
    today: now.day,
    minutesNow: now.minutes,
    wallClock: at,
    language: languageOf(language),
    weekBegins: (firstWeekday + 6) % 7,
    slashOrder: slashOrderOf(language),
  };
}

function languageOf(tag: string): WordLanguage {
  return /^de\b/i.test(tag) ? "de" : "en";
}

/** Only the United States and what follows them write the month first; `en` alone may be any English. */
function slashOrderOf(tag: string): SlashOrder {
  if (/^en$/i.test(tag)) return null;
  return /^en-(?:[a-z]{4}-)?(?:US|PH)\b/i.test(tag) ? "month-first" : "day-first";
}
