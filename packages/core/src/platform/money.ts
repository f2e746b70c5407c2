/** An exact amount of money, in billionths of a US dollar. */
export type NanoUsd = bigint;

const NANO_PER_USD = 1_000_000_000;

/** Rounds to the nearest billionth of a dollar. */
export function fromUsd(usd: number): NanoUsd {
  return BigInt(Math.round(usd * NANO_PER_USD));
}

/** For display only; never for arithmetic. */
export function toUsd(nano: NanoUsd): number {
  return Number(nano) / NANO_PER_USD;
}

/** The exact amount in dollars, as a decimal literal for PostgreSQL. */
export function toDecimalUsd(nano: NanoUsd): string {
  const sign = nano < 0n ? "-" : "";
  const digits = (nano < 0n ? -nano : nano).toString().padStart(10, "0");
  return `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** Formats dollars for people: to the cent, or to two significant digits below a cent. */
export function formatUsd(nano: NanoUsd): string {
  const usd = toUsd(nano);
  if (usd === 0 || Math.abs(usd) >= 0.01) return `$${usd.toFixed(2)}`;
  return `$${Number(usd.toPrecision(2))
    .toFixed(9)
    .replace(/(?<!0)0+$/, "")}`;
}
