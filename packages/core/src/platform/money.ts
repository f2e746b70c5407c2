/** An amount of money, exactly: billionths of a US dollar. */
export type NanoUsd = bigint;

const NANO_PER_USD = 1_000_000_000;

/** Rounds to the nearest billionth of a dollar. */
export function fromUsd(usd: number): NanoUsd {
  return BigInt(Math.round(usd * NANO_PER_USD));
}

/** For answers and for people; never to calculate with. */
export function toUsd(nano: NanoUsd): number {
  return Number(nano) / NANO_PER_USD;
}

/** The text that PostgreSQL reads as the exact decimal amount in dollars. */
export function toDecimalUsd(nano: NanoUsd): string {
  const sign = nano < 0n ? "-" : "";
  const digits = (nano < 0n ? -nano : nano).toString().padStart(10, "0");
  return `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

/** Dollars as people read them: to the cent, and to the first two digits that matter where that is less than a cent. */
export function formatUsd(nano: NanoUsd): string {
  const usd = toUsd(nano);
  if (usd === 0 || Math.abs(usd) >= 0.01) return `$${usd.toFixed(2)}`;
  return `$${Number(usd.toPrecision(2))
    .toFixed(9)
    .replace(/(?<!0)0+$/, "")}`;
}
