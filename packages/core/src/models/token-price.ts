import * as z from "zod";
import type { NanoUsd } from "../platform/money.ts";
import builtInTable from "./price-table.json" with { type: "json" };

/** What one token costs, in millionths of a millionth of a dollar, so that every listed price is a whole number. */
export interface TokenPrice {
  readonly inputPicoUsd: bigint;
  readonly cachedInputPicoUsd: bigint;
  readonly outputPicoUsd: bigint;
}

/** Prices by the model's name. A model that is not in it costs an unknown amount. */
export type PriceTable = ReadonlyMap<string, TokenPrice>;

/** Tokens of one or several calls. The cached ones are part of the input. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

const PICO_PER_UNIT = 1_000_000;
const PICO_PER_NANO = 1000n;

/** Dollars per million tokens, which are as many picodollars per token as there are millionths in the number. */
const usdPerMillionTokens = z
  .number()
  .nonnegative()
  .max(1_000_000)
  .refine(hasAtMostSixDecimals, "expected at most six decimals")
  .transform((price) => BigInt(Math.round(price * PICO_PER_UNIT)));

const priceTable = z.record(
  z.string(),
  z
    .object({ input: usdPerMillionTokens, cachedInput: usdPerMillionTokens.optional(), output: usdPerMillionTokens })
    .transform(({ input, cachedInput = input, output }): TokenPrice => ({
      inputPicoUsd: input,
      cachedInputPicoUsd: cachedInput,
      outputPicoUsd: output,
    })),
);

/**
 * Reads prices as `{"<model>": {"input": 1.0, "cachedInput": 0.1, "output": 5.0}}`, in dollars per million tokens.
 * Without a price of their own, cached tokens cost what others do. Throws for anything else.
 */
export function parsePriceTable(json: unknown): PriceTable {
  return new Map(Object.entries(priceTable.parse(json)));
}

/** The table in the repository, with a person's own prices over it. */
export function createPriceTable(overrides: PriceTable = new Map()): PriceTable {
  return new Map([...parsePriceTable(builtInTable.models), ...overrides]);
}

/** What the tokens cost, rounded up to the next billionth of a dollar. */
export function costOf({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage, price: TokenPrice): NanoUsd {
  const cached = Math.min(cachedInputTokens, inputTokens);
  const pico =
    BigInt(inputTokens - cached) * price.inputPicoUsd +
    BigInt(cached) * price.cachedInputPicoUsd +
    BigInt(outputTokens) * price.outputPicoUsd;
  return (pico + PICO_PER_NANO - 1n) / PICO_PER_NANO;
}

function hasAtMostSixDecimals(price: number): boolean {
  const units = price * PICO_PER_UNIT;
  return Math.abs(units - Math.round(units)) < 1e-6 * Math.max(1, units);
}
