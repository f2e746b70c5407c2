import type { OwnLimit } from "./assistant-usage.schema.ts";
import type { HourOfUse, LimitWindow, UseTotals } from "./limit-windows.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_HOURS = 7 * 24;

/** How much of a limit is used. */
export interface OwnLimitProgress extends OwnLimit {
  /** Null if the limit is one of cost, and no cost is known. */
  usedPercent: number | null;
  /** When it is reached at this pace; null if it has been, if not before the window ends, or if the pace is not known. */
  reachedAt: string | null;
}

/** A window of five hours; null if none is current, so that nothing of the limit is used. */
export function progressOfFiveHours(limit: OwnLimit, window: LimitWindow | null, now: Date): OwnLimitProgress {
  if (window === null) return { ...limit, usedPercent: 0, reachedAt: null };
  const used = amountOf(limit, window);
  const { tokensPerMinute = null, costUsdPerMinute = null } = window.pace ?? {};
  const pace = limit.unit === "tokens" ? tokensPerMinute : costUsdPerMinute;
  const reachedMs =
    used === null || pace === null || used >= limit.amount || pace <= 0
      ? Number.POSITIVE_INFINITY
      : now.getTime() + ((limit.amount - used) / pace) * MINUTE_MS;
  const isInWindow = reachedMs <= Date.parse(window.endsAt);
  return { ...limit, usedPercent: percentOf(limit, used), reachedAt: isInWindow ? toTime(reachedMs) : null };
}

/**
 * The last seven days, which never end. The forecast goes on at the pace of the last 24 hours, hour by hour, while what is older than
 * seven days by then falls out. `hours` are those of the last seven days.
 */
export function progressOfSevenDays(limit: OwnLimit, hours: readonly HourOfUse[], now: Date): OwnLimitProgress {
  const used = sumOf(limit, hours);
  const usedPercent = percentOf(limit, used);
  const recent = sumOf(
    limit,
    hours.filter(({ lastUseAt }) => Date.parse(lastUseAt) > now.getTime() - DAY_MS),
  );
  if (used === null || recent === null || recent <= 0 || used >= limit.amount)
    return { ...limit, usedPercent, reachedAt: null };
  const perHour = recent / 24;
  for (let ahead = 1; ahead <= WEEK_HOURS; ahead++) {
    const thenMs = now.getTime() + ahead * HOUR_MS;
    const kept = hours.filter(({ startsAt }) => Date.parse(startsAt) >= thenMs - WEEK_HOURS * HOUR_MS);
    const expected = (sumOf(limit, kept) ?? 0) + perHour * ahead;
    if (expected >= limit.amount) return { ...limit, usedPercent, reachedAt: toTime(thenMs) };
  }
  return { ...limit, usedPercent, reachedAt: null };
}

const toTime = (ms: number) => new Date(ms).toISOString();

function amountOf({ unit }: OwnLimit, { totalTokens, costUsd }: Pick<UseTotals, "totalTokens" | "costUsd">) {
  return unit === "tokens" ? totalTokens : costUsd;
}

/** Null if there was use, and no cost of it is known. */
function sumOf(limit: OwnLimit, hours: readonly HourOfUse[]): number | null {
  const amounts = hours.map((hour) => amountOf(limit, hour)).filter((amount) => amount !== null);
  return amounts.length === 0 && hours.length > 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0);
}

function percentOf({ amount }: OwnLimit, used: number | null): number | null {
  return used === null ? null : (used / amount) * 100;
}
