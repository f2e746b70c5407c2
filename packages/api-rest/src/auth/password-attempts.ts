import type { Clock } from "@workspace/core";
import { addressBlockOf } from "./address-block.ts";
import { createAttemptLimiter, type AttemptVerdict } from "./attempt-limiter.ts";

const MINUTE_MS = 60_000;
const PER_ADDRESS = { max: 20, windowMs: MINUTE_MS };
const PER_ACCOUNT = { max: 5, windowMs: MINUTE_MS };

/** Counts an attempt to guess the password of an account from this address. */
export type PasswordAttempts = (address: string, account: string) => AttemptVerdict;

/**
 * The limits on guessing passwords: per address, and per account and address, so that nobody can lock out an account's owner, who is
 * elsewhere. An IPv6 /64 counts as one address. The caller refunds attempts that were right.
 */
export function createPasswordAttempts(clock: Clock): PasswordAttempts {
  const tryFromAddress = createAttemptLimiter(PER_ADDRESS, clock);
  const tryToAccount = createAttemptLimiter(PER_ACCOUNT, clock);
  return (address, account) => {
    const block = addressBlockOf(address);
    const fromAddress = tryFromAddress(block);
    if (!fromAddress.isAllowed) return fromAddress;
    const toAccount = tryToAccount(`${block} ${account.toLowerCase()}`);
    if (!toAccount.isAllowed) {
      fromAddress.refund();
      return toAccount;
    }
    const refund = (): void => {
      fromAddress.refund();
      toAccount.refund();
    };
    return { isAllowed: true, refund };
  };
}
