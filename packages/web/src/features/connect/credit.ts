import type { Outputs } from "../../api/trpc.ts";

export type CreditPool = Outputs["credits"]["get"]["data"];
export type CreditEntry = Outputs["credits"]["entries"]["data"][number];

/** What happened to the pool, for the ledger. */
export function sayEntry({ reason, note, apiKeyName }: CreditEntry): string {
  switch (reason) {
    case "grant":
      return "First credits";
    case "top_up":
      return note === null ? "Top-up" : `Top-up: ${note}`;
    case "ask":
      return [`Asked ${note ?? "an agent"}`, apiKeyName === null ? "" : `with “${apiKeyName}”`]
        .filter((part) => part !== "")
        .join(" ");
  }
}

/** "+1,000", "−12", with a true minus sign. */
export function sayDelta(delta: number): string {
  const amount = Math.abs(delta).toLocaleString("en");
  if (delta === 0) return amount;
  return delta > 0 ? `+${amount}` : `−${amount}`;
}

/** The whole number in what was typed; undefined where it is none that can be added. */
export function parseAmount(text: string): number | undefined {
  const amount = Number(text.trim().replaceAll(",", ""));
  return Number.isInteger(amount) && amount >= 1 && amount <= 1_000_000 ? amount : undefined;
}
