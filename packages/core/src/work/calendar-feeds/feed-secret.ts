import { createHash, randomBytes } from "node:crypto";

const RANDOM_BYTES = 32;
const HINT_LENGTH = 4;

/** Of 256 random bits, in characters that need no escape in a URL. */
export function generateFeedSecret(): string {
  return randomBytes(RANDOM_BYTES).toString("base64url");
}

/**
 * The form in which a secret is stored and looked up, as that of an API key: the time that a lookup takes can only reveal something
 * about the hash of a guess.
 */
export function hashFeedSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** The end of a secret, by which people distinguish addresses. */
export function feedSecretHint(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}
