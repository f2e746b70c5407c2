import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatUsd, fromUsd, toDecimalUsd, toUsd } from "../../platform/money.ts";
import { assistantCostUsd, costOf, createPriceTable, parsePriceTable } from "./token-price.ts";

const priceOf = (json: object) => {
  const price = parsePriceTable({ m: json }).get("m");
  if (price === undefined) throw new Error("no price");
  return price;
};

describe("the cost of tokens", () => {
  const price = priceOf({ input: 1.25, cachedInput: 0.125, output: 10 });

  test.each([
    [{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 }, 0n],
    [{ inputTokens: 1_000_000, cachedInputTokens: 0, outputTokens: 0 }, 1_250_000_000n],
    [{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 1_000_000 }, 10_000_000_000n],
    [{ inputTokens: 1000, cachedInputTokens: 600, outputTokens: 50 }, 500_000n + 75_000n + 500_000n],
    [{ inputTokens: 1, cachedInputTokens: 1, outputTokens: 0 }, 125n],
  ])("%j costs %d billionths of a dollar, cached tokens counted once", (usage, nano) => {
    expect(costOf(usage, price)).toBe(nano);
  });

  test("is rounded up if it is not a whole billionth", () => {
    expect(
      costOf({ inputTokens: 1, cachedInputTokens: 0, outputTokens: 0 }, priceOf({ input: 0.0125, output: 1 })),
    ).toBe(13n);
  });

  test("never counts more cached tokens than there are", () => {
    expect(costOf({ inputTokens: 10, cachedInputTokens: 99, outputTokens: 0 }, price)).toBe(1250n);
  });

  test("is that of long prompts if the prompt, with what is cached, is longer", () => {
    const long = priceOf({ input: 1, output: 2, longPrompt: { above: 100, input: 3, cachedInput: 0, output: 4 } });
    const cost = (inputTokens: number, cachedInputTokens: number) =>
      costOf({ inputTokens, cachedInputTokens, outputTokens: 10 }, long);
    expect([cost(100, 0), cost(101, 0), cost(101, 100)]).toEqual([120_000n, 343_000n, 43_000n]);
  });

  test("adds up exactly: the parts cost as much as the whole", () => {
    const tokens = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (a, b, c, d) => {
        const cost = (inputTokens: number, outputTokens: number) =>
          costOf({ inputTokens, cachedInputTokens: 0, outputTokens }, price);
        expect(cost(a, b) + cost(c, d)).toBe(cost(a + c, b + d));
      }),
    );
  });
});

describe("a price table", () => {
  test("that is built in can be parsed, and has a price for each of its models", () => {
    expect(createPriceTable().size).toBeGreaterThan(5);
  });

  test("of one's own overrides it, model by model", () => {
    const table = createPriceTable(
      parsePriceTable({ "gpt-5": { input: 7, output: 8 }, mine: { input: 0, output: 0 } }),
    );
    expect(table.get("gpt-5")).toEqual(priceOf({ input: 7, cachedInput: 7, output: 8 }));
    expect(table.has("mine")).toBe(true);
    expect(table.has("gpt-5-mini")).toBe(true);
  });

  test.each([
    [null, "expected an object"],
    [[], "expected an object"],
    [{ m: 1 }, "m: expected an object"],
    [{ m: { input: 1 } }, "m.output: is required"],
    [{ m: { input: -1, output: "1" } }, "m.input: expected at least 0; m.output: expected a number"],
    [{ m: { input: 0.0000001, output: 1 } }, "m.input: expected at most six decimals"],
    [
      { m: { input: 1, output: 1, longPrompt: { above: 0, input: 1 } } },
      "m.longPrompt.output: is required; m.longPrompt.above: expected more than 0",
    ],
  ])("is rejected in words if it is %j", (json, message) => {
    expect(() => parsePriceTable(json)).toThrow(expect.objectContaining({ name: "InvalidInputError", message }));
  });
});

describe("amounts of money", () => {
  test("survive a round trip through the database, to the billionth", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (nano) => {
        expect(BigInt(toDecimalUsd(nano).replace(".", ""))).toBe(nano);
      }),
    );
    expect(toDecimalUsd(1n)).toBe("0.000000001");
    expect(toDecimalUsd(-12_345_678_901n)).toBe("-12.345678901");
    expect(fromUsd(0.1) + fromUsd(0.2)).toBe(fromUsd(0.3));
    expect(toUsd(fromUsd(0.000001))).toBe(0.000001);
  });

  test.each([
    [0, "$0.00"],
    [12.3456, "$12.35"],
    [0.01, "$0.01"],
    [0.0012345, "$0.0012"],
    [0.000001, "$0.000001"],
  ])("%d is written as %s", (usd, text) => {
    expect(formatUsd(fromUsd(usd))).toBe(text);
  });
});

describe("the cost of an assistant's answer", () => {
  const tokens = { inputTokens: 200, cacheCreationInputTokens: 0, cacheReadInputTokens: 1000, outputTokens: 30 };

  test.each([
    // As ccusage 17 prices the same response.
    ["claude-sonnet-4-5", tokens, 0.00135],
    ["claude-sonnet-4-5-20250929", tokens, 0.00135],
    ["claude-opus-4-5", { ...tokens, cacheCreationInputTokens: 1_000 }, 0.0085],
    ["gpt-5.1-codex", tokens, 0.000675],
    ["claude-opus-5-5", tokens, 0.0016],
    // As the model's maker prices a prompt of more than 100,000 tokens.
    ["claude-haiku-5-5", tokens, 0.000045],
    ["claude-haiku-5-5", { ...tokens, cacheReadInputTokens: 100_000 }, 0.005175],
    ["a-model-of-tomorrow", tokens, null],
    [undefined, tokens, null],
  ])("%s", (model, used, cost) => {
    expect(assistantCostUsd(createPriceTable(), { ...used, model })).toBe(cost);
  });
});
