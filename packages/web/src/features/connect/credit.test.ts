import { expect, it } from "vitest";
import { parseAmount, sayDelta, sayEntry, type CreditEntry } from "./credit.ts";

const entry: CreditEntry = {
  id: "1",
  delta: -3,
  balanceAfter: 997,
  reason: "ask",
  note: "Librarian",
  runId: "run",
  apiKeyId: "key",
  apiKeyName: "Laptop",
  createdAt: "2026-11-20T10:00:00.000Z",
};

it("says what happened to the pool", () => {
  expect(sayEntry(entry)).toBe("Asked Librarian with “Laptop”");
  expect(sayEntry({ ...entry, note: null, apiKeyName: null })).toBe("Asked an agent");
  expect(sayEntry({ ...entry, reason: "top_up", note: "November" })).toBe("Top-up: November");
  expect(sayEntry({ ...entry, reason: "top_up", note: null })).toBe("Top-up");
  expect(sayEntry({ ...entry, reason: "grant" })).toBe("First credits");
});

it("says which way it went", () => {
  expect([1000, -12, 0].map(sayDelta)).toEqual(["+1,000", "−12", "0"]);
});

it.each([
  ["500", 500],
  [" 1,000 ", 1000],
  ["0", undefined],
  ["-5", undefined],
  ["1.5", undefined],
  ["1000001", undefined],
  ["", undefined],
  ["many", undefined],
])("takes “%s” as %s", (text, amount) => {
  expect(parseAmount(text)).toBe(amount);
});
