import { expect, test } from "vitest";
import { MAX_NEXT_LENGTH, readProviderFlows, writeProviderFlows, type ProviderFlow } from "./provider-flow.ts";

const NOW = new Date("2026-11-27T12:00:00Z");

const flow = (state: string, more: Partial<ProviderFlow> = {}): ProviderFlow => ({
  state,
  nonce: "n".repeat(43),
  verifier: "v".repeat(43),
  linkTo: null,
  next: "/",
  until: NOW.getTime() + 1,
  ...more,
});

const states = (value: string) => readProviderFlows(value, NOW).map(({ state }) => state);

test("flows are read as they were written, in their order, until they are over", () => {
  const flows = [flow("a", { next: "/~ada?x=~%20~", linkTo: "01a21e9c-4217-7190-a3a1-b4c19b5d6296" }), flow("b")];
  expect(readProviderFlows(writeProviderFlows(flows), NOW)).toEqual(flows);
  expect(readProviderFlows(writeProviderFlows(flows), new Date(NOW.getTime() + 1))).toEqual([]);
  for (const value of [null, "", "another value", "a~b~c~~soon~/"]) expect(readProviderFlows(value, NOW)).toEqual([]);
});

test("the last five are kept, or as many as a cookie can hold", () => {
  const flows = ["a", "b", "c", "d", "e", "f", "g"].map((state) => flow(state));
  expect(states(writeProviderFlows(flows))).toEqual(["c", "d", "e", "f", "g"]);
  const long = (state: string) => flow(state.repeat(43), { next: `/${"x".repeat(MAX_NEXT_LENGTH - 3)}` });
  const written = writeProviderFlows([flow("a"), long("b"), long("c")]);
  expect(states(written)).toEqual(["c".repeat(43)]);
  expect(encodeURIComponent(written).length).toBeLessThan(4_000);
});
