import * as z from "zod";
import { toUsd, type NanoUsd } from "../../platform/money.ts";
import { toInvalidInput } from "../../platform/procedures/public-error.ts";
import builtInTable from "./price-table.json" with { type: "json" };

/** The price of one token in trillionths of a dollar, so that every listed price is a whole number. */
export interface TokenPrice {
  readonly inputPicoUsd: bigint;
  readonly cachedInputPicoUsd: bigint;
  /** Of input that is put into the cache. */
  readonly cacheWritePicoUsd: bigint;
  readonly outputPicoUsd: bigint;
}

/** Prices by model name. The cost of any other model is unknown. */
export type PriceTable = ReadonlyMap<string, TokenPrice>;

/** The tokens of one or more calls. Cached tokens are part of the input. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

const PICO_PER_UNIT = 1_000_000;
const PICO_PER_NANO = 1000n;

/** Dollars per million tokens, converted to picodollars per token. */
const usdPerMillionTokens = z
  .number()
  .nonnegative()
  .max(1_000_000)
  .refine(hasAtMostSixDecimals, "expected at most six decimals")
  .transform((price) => BigInt(Math.round(price * PICO_PER_UNIT)));

const priceTable = z.record(
  z.string(),
  z
    .object({
      input: usdPerMillionTokens,
      cachedInput: usdPerMillionTokens.optional(),
      cacheWrite: usdPerMillionTokens.optional(),
      output: usdPerMillionTokens,
    })
    .transform(({ input, cachedInput = input, cacheWrite = input, output }): TokenPrice => ({
      inputPicoUsd: input,
      cachedInputPicoUsd: cachedInput,
      cacheWritePicoUsd: cacheWrite,
      outputPicoUsd: output,
    })),
);

/**
 * Parses prices such as `{"<model>": {"input": 1.0, "cachedInput": 0.1, "output": 5.0}}`, in dollars per million tokens.
 * Without `cachedInput` or `cacheWrite`, cached tokens and those put into the cache cost the same as others. Throws InvalidInputError for anything else.
 */
export function parsePriceTable(json: unknown): PriceTable {
  const { data, error } = priceTable.safeParse(json);
  if (error !== undefined) throw toInvalidInput(error);
  return new Map(Object.entries(data));
}

/** The built-in prices, with overrides. */
export function createPriceTable(overrides: PriceTable = new Map()): PriceTable {
  return new Map([...parsePriceTable(builtInTable.models), ...overrides]);
}

/** The cost of the tokens, rounded up to the next billionth of a dollar. */
export function costOf({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage, price: TokenPrice): NanoUsd {
  const cached = Math.min(cachedInputTokens, inputTokens);
  const pico =
    BigInt(inputTokens - cached) * price.inputPicoUsd +
    BigInt(cached) * price.cachedInputPicoUsd +
    BigInt(outputTokens) * price.outputPicoUsd;
  return (pico + PICO_PER_NANO - 1n) / PICO_PER_NANO;
}

/** The tokens of an answer of an assistant. Input, cache writes and cache reads are disjoint. */
export interface AssistantTokens {
  readonly model?: string | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheCreationInputTokens?: number | undefined;
  readonly cacheReadInputTokens?: number | undefined;
}

/** The date of a release, which assistants add to the name of a model. */
const RELEASE_DATE = /-20[0-9]{6}$/;

/** What an answer of an assistant would cost at list prices, in dollars; null if the model is not in the table. */
export function assistantCostUsd(prices: PriceTable, tokens: AssistantTokens): number | null {
  const model = tokens.model ?? "";
  const price = prices.get(model) ?? prices.get(model.replace(RELEASE_DATE, ""));
  if (price === undefined) return null;
  const pico =
    BigInt(tokens.inputTokens) * price.inputPicoUsd +
    BigInt(tokens.cacheCreationInputTokens ?? 0) * price.cacheWritePicoUsd +
    BigInt(tokens.cacheReadInputTokens ?? 0) * price.cachedInputPicoUsd +
    BigInt(tokens.outputTokens) * price.outputPicoUsd;
  return toUsd((pico + PICO_PER_NANO - 1n) / PICO_PER_NANO);
}

function hasAtMostSixDecimals(price: number): boolean {
  const units = price * PICO_PER_UNIT;
  return Math.abs(units - Math.round(units)) < 1e-6 * Math.max(1, units);
}
