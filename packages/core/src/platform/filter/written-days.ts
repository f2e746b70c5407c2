/** Days as people write them, which become the names of `filter-days.ts`. */

const UNIT = "(d|days?|w|weeks?|m|months?|y|years?)";
const LONG_UNIT = "(days?|weeks?|months?|years?)";
const END = String.raw`(?=$|[\s(),])`;
const SHIFT = String.raw`\s*([+-])\s*(\d{1,5})\s*${UNIT}`;
const NAMED_DAY = new RegExp(`(yesterday|today|now|tomorrow)(?:${SHIFT})?${END}`, "iy");
const SHIFTED = new RegExp(`(?=[+-])${SHIFT}${END}`, "iy");
const DISTANT = new RegExp(String.raw`(?:in\s+(\d{1,5})\s*${UNIT}|(\d{1,5})\s*${UNIT}\s+ago)${END}`, "iy");
const NAMED_SPAN = new RegExp(String.raw`(this|next|last)[\s-]+${LONG_UNIT}${END}`, "iy");
const COUNTED = new RegExp(String.raw`(next|last)\s+(\d{1,5})\s*${UNIT}${END}`, "iy");
const NAMED_OFFSETS: Readonly<Record<string, string>> = { yesterday: "-1d", tomorrow: "+1d" };
/** Further away there is nothing to find. */
const MAX_COUNT = 10_000;

export interface WrittenDays {
  /** Such as `today`, `+7d`, `2026-12` or `today..+6d`. */
  readonly name: string;
  /** Where the text goes on. */
  readonly end: number;
}

/**
 * The days that are written at a place of a text: `today`, `today + 7d`, `+7d`, `in 2 weeks`, `3 days ago`,
 * `this week`, `last month`, `next 7 days`, which counts today. Null for anything else, also for dates, which are their own names.
 */
export function daysWrittenAt(text: string, at: number): WrittenDays | null {
  const read = (pattern: RegExp, toName: (groups: readonly string[]) => string | null): WrittenDays | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const name = match === null ? null : toName(match.slice(1).map((group: string | undefined) => group ?? ""));
    return match === null || name === null ? null : { name, end: at + match[0].length };
  };
  return (
    read(NAMED_DAY, ([day = "", sign = "", count = "", unit = ""]) => {
      const name = day.toLowerCase() === "now" ? "today" : day.toLowerCase();
      return sign === "" ? name : isFar(count) ? null : `${NAMED_OFFSETS[name] ?? ""}${offset(sign, count, unit)}`;
    }) ??
    read(SHIFTED, ([sign = "", count = "", unit = ""]) => (isFar(count) ? null : offset(sign, count, unit))) ??
    read(DISTANT, ([ahead = "", aheadUnit = "", ago = "", agoUnit = ""]) => {
      if (isFar(ahead) || isFar(ago)) return null;
      return ahead === "" ? offset("-", ago, agoUnit) : offset("+", ahead, aheadUnit);
    }) ??
    read(NAMED_SPAN, ([which = "", unit = ""]) => {
      const span = unit.toLowerCase().replace(/s$/, "");
      const days: Readonly<Record<string, string>> = { this: "today", next: "tomorrow", last: "yesterday" };
      return span === "day" ? (days[which.toLowerCase()] ?? null) : `${which.toLowerCase()}-${span}`;
    }) ??
    read(COUNTED, ([which = "", count = "", unit = ""]) => {
      if (isFar(count)) return null;
      return which.toLowerCase() === "next"
        ? `today..${offset("+", count, unit)}-1d`
        : `+1d${offset("-", count, unit)}..today`;
    })
  );
}

function offset(sign: string, count: string, unit: string): string {
  return `${sign}${Number(count)}${unit.charAt(0).toLowerCase()}`;
}

function isFar(count: string): boolean {
  return Number(count) > MAX_COUNT;
}
