import { DomainError } from "@workspace/core";
import type { PasswordAttempts } from "./password-attempts.ts";

/** Too many wrong secrets came from an address. */
export class TooManyAttemptsError extends DomainError {
  readonly status = 429;
  readonly retryAfterS: number;

  constructor(retryAfterS: number) {
    super(`Too many attempts. Try again in ${retryAfterS} seconds.`);
    this.retryAfterS = retryAfterS;
  }
}

/** An attempt to use a secret. */
export interface SecretAttempt {
  readonly address: string;
  /** The account that it is for, or the secret itself if it is for none. */
  readonly account: string;
  readonly secret: string;
}

/**
 * Looks up what a secret gives access to, within the limits on guessing: those that are found do not count. Requests at the same
 * time with the same secret are one attempt, because programs send several. Returns null for a wrong secret; throws
 * {@link TooManyAttemptsError} after too many.
 */
export function createSecretLookup<Found>(
  tryPassword: PasswordAttempts,
  find: (secret: string) => Promise<Found | null>,
): (attempt: SecretAttempt) => Promise<Found | null> {
  const pending = new Map<string, Promise<Found | null>>();

  async function look({ address, account, secret }: SecretAttempt): Promise<Found | null> {
    const verdict = tryPassword(address, account);
    if (!verdict.isAllowed) throw new TooManyAttemptsError(verdict.retryAfterS);
    try {
      const found = await find(secret);
      if (found !== null) verdict.refund();
      return found;
    } catch (error) {
      verdict.refund();
      throw error;
    }
  }

  return async (attempt) => {
    const key = JSON.stringify(attempt);
    const known = pending.get(key);
    if (known !== undefined) return known;
    const looking = look(attempt).finally(() => pending.delete(key));
    pending.set(key, looking);
    return looking;
  };
}
