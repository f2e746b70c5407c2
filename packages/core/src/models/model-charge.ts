import type { NanoUsd } from "../platform/money.ts";
import type { Reservation } from "../usage/spend-guard.ts";
import type { ModelAnswer } from "./model-answer.ts";
import { maxInputTokens, type ModelRequest } from "./model-request.ts";
import { costOf, type TokenPrice, type TokenUsage } from "./token-price.ts";

/** What a call has cost, attempts that broke off included. It has to be settled, whatever became of the call. */
export interface ModelCharge {
  readonly model: string;
  readonly usage: TokenUsage;
  readonly cost: NanoUsd;
  /** False where the price is not known, or the endpoint did not count and tokens are estimated. */
  readonly isCostKnown: boolean;
  /** What the caps are charged with: the cost, or where it is not known the most that it can be. */
  readonly atMost: NanoUsd;
  readonly reservations: readonly { readonly reservation: Reservation; readonly spent: NanoUsd }[];
}

/** What one attempt has cost. */
export type Bill = Pick<ModelCharge, "usage" | "cost" | "isCostKnown" | "atMost">;

export const NO_USAGE: TokenUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
export const NO_BILL: Bill = { usage: NO_USAGE, cost: 0n, isCostKnown: true, atMost: 0n };

/** A token of ordinary text has about four bytes; none has less than one. */
const BYTES_PER_TOKEN = 4;

export function noCharge(model: string): ModelCharge {
  return { model, ...NO_BILL, reservations: [] };
}

/** Whether tokens were used, so that there is something to record. */
export function isBilled({ usage }: ModelCharge): boolean {
  return usage.inputTokens + usage.outputTokens > 0;
}

/** The charge with one more attempt in it. */
export function addBill(charge: ModelCharge, reservation: Reservation, bill: Bill): ModelCharge {
  return {
    model: charge.model,
    usage: addUsage(charge.usage, bill.usage),
    cost: charge.cost + bill.cost,
    isCostKnown: charge.isCostKnown && bill.isCostKnown,
    atMost: charge.atMost + bill.atMost,
    reservations: [...charge.reservations, { reservation, spent: bill.atMost }],
  };
}

/** What a request can cost at worst: every byte of it a token, and the longest answer. Null without a price. */
export function worstCostOf(request: ModelRequest, maxOutputTokens: number, price: TokenPrice | null): NanoUsd | null {
  if (price === null) return null;
  const usage = { inputTokens: maxInputTokens(request), cachedInputTokens: 0, outputTokens: maxOutputTokens };
  return costOf(usage, withDearestInput(price));
}

/** The endpoint's own count where it gave one. An answer that broke off has none: it is estimated, and said to be. */
export function billOf(request: ModelRequest, { usage, receivedBytes }: ModelAnswer, price: TokenPrice | null): Bill {
  if (usage !== null) {
    const cost = price === null ? 0n : costOf(usage, price);
    return { usage, cost, isCostKnown: price !== null, atMost: cost };
  }
  const inputBytes = maxInputTokens(request);
  const estimate = {
    inputTokens: Math.ceil(inputBytes / BYTES_PER_TOKEN),
    cachedInputTokens: 0,
    outputTokens: Math.ceil(receivedBytes / BYTES_PER_TOKEN),
  };
  const most = { inputTokens: inputBytes, cachedInputTokens: 0, outputTokens: receivedBytes };
  return {
    usage: estimate,
    cost: price === null ? 0n : costOf(estimate, price),
    isCostKnown: false,
    atMost: price === null ? 0n : costOf(most, withDearestInput(price)),
  };
}

export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** Cached tokens may be dearer than others where a person's own prices say so. */
function withDearestInput(price: TokenPrice): TokenPrice {
  const isCachedDearer = price.cachedInputPicoUsd > price.inputPicoUsd;
  return isCachedDearer ? { ...price, inputPicoUsd: price.cachedInputPicoUsd } : price;
}
