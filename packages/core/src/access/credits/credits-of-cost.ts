import type { NanoUsd } from "../../platform/money.ts";

const NANO_USD_PER_CREDIT = 10_000_000n;

/**
 * What a call of `/api/v1` is charged: one credit for every US cent of model cost, rounded up once per call. If the cost is
 * unknown because the model has no price, it counts as at least one credit, so that such calls are limited too.
 */
export function creditsOfCost({ cost, isCostKnown }: { cost: NanoUsd; isCostKnown: boolean }): number {
  const credits = Number((cost + NANO_USD_PER_CREDIT - 1n) / NANO_USD_PER_CREDIT);
  return isCostKnown ? credits : Math.max(credits, 1);
}
