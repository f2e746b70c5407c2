import { hashPassword, verifyPassword } from "better-auth/crypto";
import pLimit from "p-limit";

/** Hashes passwords and verifies them against a hash. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  verify(attempt: { hash: string; password: string }): Promise<boolean>;
}

/**
 * The library's own hashing, one password at a time. Hashing is slow by design and runs on the thread pool that file access
 * shares: four passwords at once would leave no thread for anything else. Hashing and verifying share one queue and cost the
 * same, so response times do not reveal which of them was needed.
 */
export function createPasswordHashing(): PasswordHashing {
  const limit = pLimit(1);
  return {
    hash: (password) => limit(hashPassword, password),
    verify: (attempt) => limit(verifyPassword, attempt),
  };
}
