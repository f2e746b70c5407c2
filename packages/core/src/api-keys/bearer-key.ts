import { createHash, randomBytes } from "node:crypto";

/** Tells a person, and a scanner for leaked credentials, what the text is. */
const PREFIX = "wsk_";
const RANDOM_BYTES = 32;
const BEARER_KEY = /^wsk_[A-Za-z0-9_-]{43}$/;
const HINT_LENGTH = 4;

/** A new key of 256 random bits. */
export function generateBearerKey(): string {
  return PREFIX + randomBytes(RANDOM_BYTES).toString("base64url");
}

/** Whether a text can be a key at all; what cannot is refused without a look-up. */
export function isBearerKey(text: string): boolean {
  return BEARER_KEY.test(text);
}

/**
 * What is stored of a key, and what it is looked up by. A plain SHA-256 is enough for 256 random bits, and makes the time of
 * the look-up harmless: it can tell something of the hash of a guess, which nobody can choose, and nothing of a key.
 */
export function hashBearerKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The end of a key, by which people tell keys apart. */
export function bearerKeyHint(key: string): string {
  return key.slice(-HINT_LENGTH);
}
