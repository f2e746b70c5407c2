import { DomainError, type Clock } from "@workspace/core";
import { createPasswordAttempts } from "./password-attempts.ts";

/** Too many wrong secrets came from an address. */
export class TooManyAttemptsError extends DomainError {
  readonly status = 429;
  override readonly retryAfterS: number;

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
 * Looks up what a secret gives access to. Those that are right are always found: a program with a revoked secret, or the page of another
 * site, which can send wrong ones from the browser of a person, must not lock out the others at this address, nor their signing in.
 * As secrets have 256 random bits, wrong ones are only limited so that programs stop sending them. Requests at the same time with the same
 * secret are looked up once, because programs send several. Returns null for a wrong secret; throws {@link TooManyAttemptsError}
 * after too many.
 */
export function createSecretLookup<Found>(
  clock: Clock,
  find: (secret: string) => Promise<Found | null>,
): (attempt: SecretAttempt) => Promise<Found | null> {
  const tryWrong = createPasswordAttempts(clock);
  const pending = new Map<string, Promise<Found | null>>();

  async function look({ address, account, secret }: SecretAttempt): Promise<Found | null> {
    const found = await find(secret);
    if (found !== null) return found;
    const verdict = tryWrong(address, account);
    if (!verdict.isAllowed) throw new TooManyAttemptsError(verdict.retryAfterS);
    return null;
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
