import { formatDay } from "../../dates/date-format.ts";
import { dayOf, type Day } from "../../dates/day.ts";
import { lazily } from "../../lib/lazily.ts";
import type { Task } from "./task.ts";

const lists = lazily(() => new Intl.ListFormat("en", { type: "conjunction" }));
const UNITS = new Map([
  ["DAILY", "day"],
  ["WEEKLY", "week"],
  ["MONTHLY", "month"],
  ["YEARLY", "year"],
]);
const DAYS = new Map([
  ["MO", "Monday"],
  ["TU", "Tuesday"],
  ["WE", "Wednesday"],
  ["TH", "Thursday"],
  ["FR", "Friday"],
  ["SA", "Saturday"],
  ["SU", "Sunday"],
]);
const WORKDAYS = "MO,TU,WE,TH,FR";
const ALL_DAYS = "MO,TU,WE,TH,FR,SA,SU";
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const ORDINALS = new Map([
  [1, "first"],
  [2, "second"],
  [3, "third"],
  [4, "fourth"],
  [5, "fifth"],
  [-1, "last"],
  [-2, "second to last"],
]);

/** A rule in words: "every 2 weeks on Monday", "every month on the last Friday, until 1 Mar". */
export function describeRepeat(
  rule: string,
  { today, repeatFrom = "due" }: { today: Day } & Partial<Pick<Task, "repeatFrom">>,
): string {
  const parts = new Map(rule.split(";").map((part) => [part.split("=")[0] ?? "", part.split("=")[1] ?? ""] as const));
  const count = parts.get("COUNT");
  const until = parts.get("UNTIL");
  return [
    describeDates(parts),
    ...(repeatFrom === "completion" ? [" after it is done"] : []),
    ...(count === undefined ? [] : [count === "1" ? ", this time only" : `, ${count} times`]),
    ...(until === undefined ? [] : [`, until ${formatDay(dayOf(until.replace(/(....)(..)(..)/, "$1-$2-$3")), today)}`]),
  ].join("");
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Parts = ReadonlyMap<string, string>;

function describeDates(parts: Parts): string {
  const frequency = parts.get("FREQ") ?? "";
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const days = parts.get("BYDAY") ?? "";
  const monthDays = listOf(parts.get("BYMONTHDAY")).map(Number);
  const months = listOf(parts.get("BYMONTH")).map((month) => MONTHS[Number(month) - 1] ?? "");
  const positions = listOf(parts.get("BYSETPOS")).map(Number);
  if (frequency === "WEEKLY" && interval === 1 && days !== "" && months.length === 0)
    return days === WORKDAYS
      ? "every weekday"
      : days === ALL_DAYS
        ? "every day"
        : `every ${lists().format(listOf(days).map(nameOf))}`;
  const unit = UNITS.get(frequency) ?? "";
  const every = interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`;
  const [day] = monthDays;
  if (
    frequency === "YEARLY" &&
    monthDays.length === 1 &&
    months.length === 1 &&
    days === "" &&
    day !== undefined &&
    day > 0
  )
    return `${every} on ${day} ${months[0] ?? ""}`;
  const on = onDays({ days, monthDays, positions });
  return `${every}${on}${months.length === 0 ? "" : ` in ${lists().format(months)}`}`;
}

function onDays({
  days,
  monthDays,
  positions,
}: {
  days: string;
  monthDays: readonly number[];
  positions: readonly number[];
}): string {
  const last = monthDays.at(-1) ?? 0;
  // How a rule says "the 31st, or the last day of a shorter month".
  if (positions.join() === "-1" && days === "" && monthDays[0] === 28 && last > 28)
    return ` on the ${nth(last)} or the last day`;
  const named =
    days === ""
      ? []
      : [days === WORKDAYS ? "weekday" : days === ALL_DAYS ? "day" : lists().format(listOf(days).map(nameOf))];
  const numbered =
    monthDays.length === 0
      ? []
      : [
          lists().format(
            monthDays.map((day) => (day === -1 ? "last day" : day < 0 ? `${nth(-day)} to last day` : nth(day))),
          ),
        ];
  const what = [...named, ...numbered].join(" the ");
  if (what === "") return "";
  if (positions.length > 0) return ` on the ${lists().format(positions.map(positionOf))} ${what}`;
  return days !== "" && !/\d/.test(days) ? ` on ${what}` : ` on the ${what}`;
}

function nameOf(text: string): string {
  const [, ordinal, day = ""] = /^(-?\d+)?(..)$/.exec(text) ?? [];
  const name = DAYS.get(day) ?? "";
  return ordinal === undefined ? name : `${positionOf(Number(ordinal))} ${name}`;
}

function positionOf(position: number): string {
  return ORDINALS.get(position) ?? (position < 0 ? `${nth(-position)} to last` : nth(position));
}

const plurals = lazily(() => new Intl.PluralRules("en", { type: "ordinal" }));
const SUFFIXES: Readonly<Record<string, string>> = { one: "st", two: "nd", few: "rd" };

function nth(number: number): string {
  return `${number}${SUFFIXES[plurals().select(number)] ?? "th"}`;
}

function listOf(text = ""): string[] {
  return text === "" ? [] : text.split(",");
}
