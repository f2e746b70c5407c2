export type LimitUnit = "tokens" | "usd";

/** What has been typed as a limit. */
export type Amount =
  | { readonly kind: "none" }
  | { readonly kind: "amount"; readonly value: number }
  | { readonly kind: "wrong"; readonly problem: string };

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, b: 1e9 };
const MAX_AMOUNT = 1e12;

/** Reads an amount such as `2.5 M`; nothing is no limit. */
export function parseAmount(text: string, unit: LimitUnit): Amount {
  if (text.trim() === "") return { kind: "none" };
  const [, digits = "", suffix = ""] = /^(\d{1,13}(?:\.\d{1,6})?) ?([kmb]?)$/i.exec(text.trim()) ?? [];
  if (digits === "") return { kind: "wrong", problem: "Write a number such as 500000, 500 k or 2.5 M." };
  const value = Number((Number(digits) * (FACTORS[suffix.toLowerCase()] ?? 1)).toFixed(6));
  if (value < 0.01) return { kind: "wrong", problem: "A limit is at least 0.01; leave it empty for none." };
  if (value > MAX_AMOUNT) return { kind: "wrong", problem: "A limit is at most a trillion." };
  if (unit === "tokens" && !Number.isInteger(value)) return { kind: "wrong", problem: "Tokens are whole." };
  return { kind: "amount", value };
}

/** An amount as it can be typed, as short as it is exact. */
export function amountText(amount: number): string {
  if (amount >= 1e6 && amount % 1e4 === 0) return `${amount / 1e6} M`;
  return amount >= 1e3 && amount % 100 === 0 ? `${amount / 1e3} k` : String(amount);
}
