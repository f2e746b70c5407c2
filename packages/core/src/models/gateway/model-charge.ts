import type { NanoUsd } from "../../platform/money.ts";
import type { Reservation } from "../usage/spend-guard.ts";
import { costOf, type TokenPrice, type TokenUsage } from "../usage/token-price.ts";
import type { TokenCharge } from "../usage/usage.queries.ts";
import type { ModelAnswer } from "./model-answer.ts";
import { maxInputTokens, type ModelRequest } from "./model-request.ts";

/** What a call has cost, including failed attempts. It must be settled, whatever the outcome of the call. */
export interface ModelCharge extends TokenCharge {
  /** What the caps are charged with: the cost or, if that is unknown, the most that it can be. */
  readonly upperBound: NanoUsd;
  readonly reservations: readonly { readonly reservation: Reservation; readonly spent: NanoUsd }[];
}

/** What one attempt has cost. */
export type Bill = Pick<ModelCharge, "usage" | "cost" | "isCostKnown" | "upperBound">;

export const NO_USAGE: TokenUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
export const NO_BILL: Bill = { usage: NO_USAGE, cost: 0n, isCostKnown: true, upperBound: 0n };

/** A token of ordinary text has about four bytes; no token has less than one. */
const BYTES_PER_TOKEN = 4;

export function noCharge(model: string): ModelCharge {
  return { model, ...NO_BILL, reservations: [] };
}

/** Whether any tokens were used. */
export function isBilled({ usage }: ModelCharge): boolean {
  return usage.inputTokens + usage.outputTokens > 0;
}

/** Adds an attempt to a charge. */
export function addBill(charge: ModelCharge, reservation: Reservation, bill: Bill): ModelCharge {
  return {
    model: charge.model,
    usage: addUsage(charge.usage, bill.usage),
    cost: charge.cost + bill.cost,
    isCostKnown: charge.isCostKnown && bill.isCostKnown,
    upperBound: charge.upperBound + bill.upperBound,
    reservations: [...charge.reservations, { reservation, spent: bill.upperBound }],
  };
}

/** The worst-case cost of a request: one token per byte, and the longest answer. Null if the price is unknown. */
export function worstCostOf(request: ModelRequest, maxOutputTokens: number, price: TokenPrice | null): NanoUsd | null {
  if (price === null) return null;
  const usage = { inputTokens: maxInputTokens(request), cachedInputTokens: 0, outputTokens: maxOutputTokens };
  return costOf(usage, withHighestInputPrice(price));
}

/** Uses the endpoint's count if there is one; otherwise, as for an answer that was cut off, the cost is marked as estimated. */
export function billOf(request: ModelRequest, { usage, receivedBytes }: ModelAnswer, price: TokenPrice | null): Bill {
  if (usage !== null) {
    const cost = price === null ? 0n : costOf(usage, price);
    return { usage, cost, isCostKnown: price !== null, upperBound: cost };
  }
  const inputBytes = maxInputTokens(request);
  const estimate = {
    inputTokens: Math.ceil(inputBytes / BYTES_PER_TOKEN),
    cachedInputTokens: 0,
    outputTokens: Math.ceil(receivedBytes / BYTES_PER_TOKEN),
  };
  const maximum = { inputTokens: inputBytes, cachedInputTokens: 0, outputTokens: receivedBytes };
  return {
    usage: estimate,
    cost: price === null ? 0n : costOf(estimate, price),
    isCostKnown: false,
    upperBound: price === null ? 0n : costOf(maximum, withHighestInputPrice(price)),
  };
}

export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** With custom prices, cached tokens may cost more than others. */
function withHighestInputPrice({ longPrompt, ...price }: TokenPrice): TokenPrice {
  const highest = (rates: typeof price) => ({
    ...rates,
    inputPicoUsd: rates.cachedInputPicoUsd > rates.inputPicoUsd ? rates.cachedInputPicoUsd : rates.inputPicoUsd,
  });
  return {
    ...highest(price),
    ...(longPrompt !== undefined && { longPrompt: { ...longPrompt, ...highest(longPrompt) } }),
  };
}
