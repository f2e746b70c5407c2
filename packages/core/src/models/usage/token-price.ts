import * as z from "zod";
import { toUsd, type NanoUsd } from "../../platform/money.ts";
import { toInvalidInput } from "../../platform/procedures/public-error.ts";
import builtInTable from "./price-table.json" with { type: "json" };

/** Prices of one token in trillionths of a dollar, so that every listed price is a whole number. */
interface Rates {
  readonly inputPicoUsd: bigint;
  readonly cachedInputPicoUsd: bigint;
  /** Of input that is put into the cache. */
  readonly cacheWritePicoUsd: bigint;
  readonly outputPicoUsd: bigint;
}

/** What the tokens of a model cost. */
export interface TokenPrice extends Rates {
  /** What all tokens of a call cost instead if its prompt, with what is cached, has more than so many tokens. */
  readonly longPrompt?: Rates & { readonly aboveTokens: number };
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

const listedRates = z.object({
  input: usdPerMillionTokens,
  cachedInput: usdPerMillionTokens.optional(),
  cacheWrite: usdPerMillionTokens.optional(),
  output: usdPerMillionTokens,
});

const longPrompt = listedRates
  .extend({ above: z.int().positive() })
  .transform(({ above, ...listed }) => ({ aboveTokens: above, ...toRates(listed) }));

const priceTable = z.record(
  z.string(),
  listedRates
    .extend({ longPrompt: longPrompt.optional() })
    .transform(({ longPrompt: long, ...listed }): TokenPrice => ({
      ...toRates(listed),
      ...(long !== undefined && { longPrompt: long }),
    })),
);

function toRates({ input, cachedInput = input, cacheWrite = input, output }: z.output<typeof listedRates>): Rates {
  return {
    inputPicoUsd: input,
    cachedInputPicoUsd: cachedInput,
    cacheWritePicoUsd: cacheWrite,
    outputPicoUsd: output,
  };
}

/**
 * Parses prices such as `{"<model>": {"input": 1.0, "cachedInput": 0.1, "output": 5.0}}`, in dollars per million tokens.
 * Without `cachedInput` or `cacheWrite`, cached tokens and those put into the cache cost the same as others. `longPrompt` has the prices
 * of calls whose prompts have more tokens than its `above`. Throws InvalidInputError for anything else.
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

/** The prices that a call with such a prompt has. */
function ratesFor({ longPrompt: long, ...ordinary }: TokenPrice, promptTokens: number): Rates {
  return long !== undefined && promptTokens > long.aboveTokens ? long : ordinary;
}

/** The cost of the tokens of a call, rounded up to the next billionth of a dollar. */
export function costOf({ inputTokens, cachedInputTokens, outputTokens }: TokenUsage, price: TokenPrice): NanoUsd {
  const rates = ratesFor(price, inputTokens);
  const cached = Math.min(cachedInputTokens, inputTokens);
  const pico =
    BigInt(inputTokens - cached) * rates.inputPicoUsd +
    BigInt(cached) * rates.cachedInputPicoUsd +
    BigInt(outputTokens) * rates.outputPicoUsd;
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
  const { inputTokens, cacheCreationInputTokens = 0, cacheReadInputTokens = 0, outputTokens } = tokens;
  const rates = ratesFor(price, inputTokens + cacheCreationInputTokens + cacheReadInputTokens);
  const pico =
    BigInt(inputTokens) * rates.inputPicoUsd +
    BigInt(cacheCreationInputTokens) * rates.cacheWritePicoUsd +
    BigInt(cacheReadInputTokens) * rates.cachedInputPicoUsd +
    BigInt(outputTokens) * rates.outputPicoUsd;
  return toUsd((pico + PICO_PER_NANO - 1n) / PICO_PER_NANO);
}

function hasAtMostSixDecimals(price: number): boolean {
  const units = price * PICO_PER_UNIT;
  return Math.abs(units - Math.round(units)) < 1e-6 * Math.max(1, units);
}
