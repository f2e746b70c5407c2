const MINUTE_MS = 60_000;
const FIVE_HOURS_MS = 5 * 60 * MINUTE_MS;
/** A pace over less time than this would mislead when continued for hours. */
const MIN_ACTIVE_MINUTES = 5;

/** What an assistant used within one full hour of UTC. All times are ISO 8601 in UTC. */
export interface HourOfUse {
  readonly startsAt: string;
  readonly firstUseAt: string;
  readonly lastUseAt: string;
  readonly messages: number;
  readonly totalTokens: number;
  /** In dollars; null if no cost is known. */
  readonly costUsd: number | null;
}

export interface UseTotals {
  messages: number;
  totalTokens: number;
  costUsd: number | null;
}

export interface LimitWindow extends UseTotals {
  startsAt: string;
  endsAt: string;
  /** Per minute between the first and the last use; null if they are less than five minutes apart. */
  pace: { tokensPerMinute: number; costUsdPerMinute: number | null } | null;
  /** The totals when the window ends, if the use goes on at this pace; null without one. */
  forecast: { totalTokens: number; costUsd: number | null } | null;
}

/**
 * The current window of five hours, as subscriptions count them: it begins at the full hour of the first use after the window
 * before. Null if the last one has ended. Hours are in order of time. As only a pause of five hours makes the start of a window
 * certain, windows may be shifted if there was none since the first of these hours.
 */
export function currentFiveHours(hours: readonly HourOfUse[], now: Date): LimitWindow | null {
  let endMs = Number.NEGATIVE_INFINITY;
  let used: HourOfUse[] = [];
  for (const hour of hours) {
    const startMs = Date.parse(hour.startsAt);
    if (startMs >= endMs) {
      endMs = startMs + FIVE_HOURS_MS;
      used = [];
    }
    used.push(hour);
  }
  return endMs > now.getTime() ? toWindow(used, new Date(endMs), now) : null;
}

export function sumUse(hours: readonly HourOfUse[]): UseTotals {
  const totals: UseTotals = { messages: 0, totalTokens: 0, costUsd: null };
  for (const { messages, totalTokens, costUsd } of hours) {
    totals.messages += messages;
    totals.totalTokens += totalTokens;
    if (costUsd !== null) totals.costUsd = (totals.costUsd ?? 0) + costUsd;
  }
  return totals;
}

function toWindow(hours: readonly HourOfUse[], end: Date, now: Date): LimitWindow {
  const totals = sumUse(hours);
  const startsAt = new Date(end.getTime() - FIVE_HOURS_MS).toISOString();
  const window = { startsAt, endsAt: end.toISOString(), ...totals };
  const activeMinutes =
    (Date.parse(hours.at(-1)?.lastUseAt ?? "") - Date.parse(hours[0]?.firstUseAt ?? "")) / MINUTE_MS;
  if (!(activeMinutes >= MIN_ACTIVE_MINUTES)) return { ...window, pace: null, forecast: null };
  const minutesLeft = (end.getTime() - now.getTime()) / MINUTE_MS;
  const tokensPerMinute = totals.totalTokens / activeMinutes;
  const costUsdPerMinute = totals.costUsd === null ? null : totals.costUsd / activeMinutes;
  return {
    ...window,
    pace: { tokensPerMinute, costUsdPerMinute },
    forecast: {
      totalTokens: Math.round(totals.totalTokens + tokensPerMinute * minutesLeft),
      costUsd: costUsdPerMinute === null ? null : (totals.costUsd ?? 0) + costUsdPerMinute * minutesLeft,
    },
  };
}
