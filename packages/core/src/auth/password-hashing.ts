import { hashPassword, verifyPassword } from "better-auth/crypto";
import { createLimiter } from "../platform/limiter.ts";

/** How passwords are hashed, and compared with a hash. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(attempt: { hash: string; password: string }): Promise<boolean>;
}

/**
 * The library's own hashing, one password at a time. Hashing is slow by design and runs on the few threads that file access
 * shares: four passwords at once would leave none for anything else. Hashing and verifying wait in the same queue and cost
 * the same, so how long an answer takes does not reveal which of them it needed.
 */
export function createPasswordHashing(): PasswordHashing {
  const inTurn = createLimiter(1);
  return {
    hash: (password) => inTurn(() => hashPassword(password)),
    verify: (attempt) => inTurn(() => verifyPassword(attempt)),
  };
}
