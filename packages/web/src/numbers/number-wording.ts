/** "1,204" */
export function sayCount(count: number): string {
  return count.toLocaleString("en");
}

/** "1 event", "1,204 events" */
export function sayCountOf(count: number, one: string, many = `${one}s`): string {
  return `${sayCount(count)} ${count === 1 ? one : many}`;
}

/** How long something took: "0.4 ms", "12 ms", "1.5 s", "2 min 5 s", "3 h 20 min". */
export function sayDuration(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trimmed(ms / 1000, 1)} s`;
  const totalSeconds = Math.round(ms / 1000);
  const minutes = Math.floor(totalSeconds / 60);
  if (minutes < 60) return joined(minutes, "min", totalSeconds % 60, "s");
  return joined(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

/** "0 %", "0.25 %", "12.5 %" of a figure from 0 to 100. */
export function sayPercent(percent: number): string {
  return `${trimmed(percent, percent < 1 ? 2 : 1)} %`;
}

/** "812", "12.3 k", "4.1 M" */
export function sayTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${trimmed(count / 1000, 1)} k`;
  return `${trimmed(count / 1_000_000, 1)} M`;
}

/** To the cent, and to the hundredth of a cent when smaller: "$1.20", "$0.0031", "<$0.0001". */
export function sayMoney(usd: number): string {
  if (usd > 0 && usd < 0.0001) return "<$0.0001";
  const isBelowCent = usd !== 0 && Math.abs(usd) < 0.01;
  return `$${usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: isBelowCent ? 4 : 2 })}`;
}

/** What something has cost; where not all of its price is known, that is said and no sum is pretended. */
export function sayCost(usd: number, isKnown: boolean): string {
  if (isKnown) return sayMoney(usd);
  return usd === 0 ? "unknown" : `at least ${sayMoney(usd)}`;
}

function trimmed(value: number, digits: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
