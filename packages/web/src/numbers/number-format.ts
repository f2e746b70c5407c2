const SIZE_UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** "1,204" */
export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** "1 event", "1,204 events" */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** A duration: "0.4 ms", "12 ms", "1.5 s", "2 min 5 s", "3 h 20 min". */
export function formatDuration(ms: number): string {
  if (ms < 10) return `${trimmed(ms, 1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${trimmed(ms / 1000, 1)} s`;
  const totalSeconds = Math.round(ms / 1000);
  const minutes = Math.floor(totalSeconds / 60);
  if (minutes < 60) return joined(minutes, "min", totalSeconds % 60, "s");
  return joined(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

/** A percentage from 0 to 100: "0 %", "0.25 %", "12.5 %". */
export function formatPercent(percent: number): string {
  return `${trimmed(percent, percent < 1 ? 2 : 1)} %`;
}

/** "812 bytes", "4.2 KB", "31 MB" */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return pluralize(bytes, "byte");
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < SIZE_UNITS.length - 1; unit += 1) value /= 1000;
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${SIZE_UNITS[unit] ?? ""}`;
}

/** "812", "12.3 k", "4.1 M" */
export function formatTokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_950) return `${trimmed(count / 1000, 1)} k`;
  return `${trimmed(count / 1_000_000, 1)} M`;
}

/** An amount in cents, or in hundredths of a cent if smaller: "$1.20", "$0.0031", "<$0.0001". */
export function formatMoney(usd: number): string {
  if (usd > 0 && usd < 0.0001) return "<$0.0001";
  const isBelowCent = usd !== 0 && Math.abs(usd) < 0.01;
  return `$${usd.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: isBelowCent ? 4 : 2 })}`;
}

/** A cost; if part of it is unknown, this is stated rather than hidden in the sum. */
export function formatCost(usd: number, isKnown: boolean): string {
  if (isKnown) return formatMoney(usd);
  return usd === 0 ? "unknown" : `at least ${formatMoney(usd)}`;
}

function trimmed(value: number, digits: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
