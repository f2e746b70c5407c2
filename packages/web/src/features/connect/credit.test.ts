import { expect, it } from "vitest";
import { parseAmount, formatDelta, describeEntry, type CreditEntry } from "./credit.ts";

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

it("describes what happened to the pool", () => {
  expect(describeEntry(entry)).toBe("Asked Librarian with “Laptop”");
  expect(describeEntry({ ...entry, note: null, apiKeyName: null })).toBe("Asked an agent");
  expect(describeEntry({ ...entry, reason: "top_up", note: "November" })).toBe("Top-up: November");
  expect(describeEntry({ ...entry, reason: "top_up", note: null })).toBe("Top-up");
  expect(describeEntry({ ...entry, reason: "grant" })).toBe("Initial credits");
});

it("shows the sign of a change", () => {
  expect([1000, -12, 0].map(formatDelta)).toEqual(["+1,000", "−12", "0"]);
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
])("parses “%s” as %s", (text, amount) => {
  expect(parseAmount(text)).toBe(amount);
});
