import type { Outputs } from "../../api/api.ts";

export type CreditPool = Outputs["credits"]["get"]["data"];
export type CreditEntry = Outputs["credits"]["entries"]["data"][number];

/** Describes an entry of the ledger. */
export function describeEntry({ reason, note, apiKeyName }: CreditEntry): string {
  switch (reason) {
    case "grant":
      return "Initial credits";
    case "top_up":
      return note === null ? "Top-up" : `Top-up: ${note}`;
    case "ask":
      return [`Asked ${note ?? "an agent"}`, apiKeyName === null ? "" : `with “${apiKeyName}”`]
        .filter((part) => part !== "")
        .join(" ");
  }
}

/** "+1,000", "−12", with a true minus sign. */
export function formatDelta(delta: number): string {
  const amount = Math.abs(delta).toLocaleString("en");
  if (delta === 0) return amount;
  return delta > 0 ? `+${amount}` : `−${amount}`;
}

/** The positive whole number in the text; undefined if it is not one. */
export function parseAmount(text: string): number | undefined {
  const amount = Number(text.trim().replaceAll(",", ""));
  return Number.isInteger(amount) && amount >= 1 && amount <= 1_000_000 ? amount : undefined;
}
