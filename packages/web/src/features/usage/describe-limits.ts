import { formatDueDate, formatTime } from "../../dates/date-format.ts";
import { todayOf } from "../../dates/day.ts";
import { formatCost, formatCount, formatPercent, formatTokens, pluralize } from "../../numbers/number-format.ts";
import { formatTimeUntil } from "../agents/describe-schedule.ts";
import type { AssistantLimits } from "./usage-queries.ts";

type Limits = AssistantLimits["assistants"][number];
type Reported = NonNullable<Limits["reported"]["week"]>;
type OwnLimit = NonNullable<Limits["own"]["fiveHours"]>;
type FiveHours = NonNullable<Limits["fiveHours"]>;

/** "51.5 k tokens, $0.12, 3 responses" */
export function describeUse(use: Pick<FiveHours, "totalTokens" | "costUsd" | "messages">): string {
  return `${describeAmount(use)}, ${pluralize(use.messages, "response")}`;
}

/** In local time: "9:00 to 14:00, ends in 3 h". */
export function describeTimes({ startsAt, endsAt }: FiveHours, now: Date): string {
  const [start, end] = [formatTime(new Date(startsAt)), formatTime(new Date(endsAt))];
  return `${start} to ${end}, ends ${formatTimeUntil(endsAt, now)}`;
}

/** "At this pace, 1,204 tokens a minute: 360 k tokens, $4.10 by 14:00"; or why there is no forecast. */
export function describeForecast({ endsAt, pace, forecast }: FiveHours): string {
  if (pace === null || forecast === null) return "Used for less than five minutes, which is too short for a forecast.";
  const tokensPerMinute = formatCount(Math.round(pace.tokensPerMinute));
  return `At this pace, ${tokensPerMinute} tokens a minute: ${describeAmount(forecast)} by ${formatTime(new Date(endsAt))}`;
}

/** "73 % used, resets Today 18:40, at this pace full Today 17:55"; days are local ones. */
export function describeReported({ usedPercent, resetsAt, fullAt }: Reported, now: Date): string {
  const today = todayOf(now);
  const used = `${formatPercent(usedPercent)} used, resets ${formatDueDate(resetsAt, today)}`;
  if (fullAt === null || usedPercent >= 100) return used;
  return `${used}, at this pace full ${formatDueDate(fullAt, today)}`;
}

/** "64 % of your 500 k tokens used, at this pace reached Today 17:55"; days are local ones. */
export function describeOwnLimit({ unit, amount, usedPercent, reachedAt }: OwnLimit, now: Date): string {
  const limit = unit === "usd" ? formatCost(amount, true) : `${formatTokens(amount)} tokens`;
  if (usedPercent === null) return `Your limit is ${limit}; the cost of what was used is not known.`;
  const used = `${formatPercent(usedPercent)} of your ${limit} used`;
  return reachedAt === null ? used : `${used}, at this pace reached ${formatDueDate(reachedAt, todayOf(now))}`;
}

function describeAmount({ totalTokens, costUsd }: { readonly totalTokens: number; readonly costUsd: number | null }) {
  const cost = costUsd === null ? "cost unknown" : formatCost(costUsd, true);
  return `${formatTokens(totalTokens)} tokens, ${cost}`;
}
