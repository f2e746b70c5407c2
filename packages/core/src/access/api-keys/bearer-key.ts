import { createHash, randomBytes } from "node:crypto";

/** Identifies the key to people and to scanners for leaked credentials. */
const PREFIX = "wsk_";
const RANDOM_BYTES = 32;
const BEARER_KEY = /^wsk_[A-Za-z0-9_-]{43}$/;
const HINT_LENGTH = 4;

/** A new key of 256 random bits. */
export function generateBearerKey(): string {
  return PREFIX + randomBytes(RANDOM_BYTES).toString("base64url");
}

/** Whether a text can be a key at all; anything else is rejected without a lookup. */
export function isBearerKey(text: string): boolean {
  return BEARER_KEY.test(text);
}

/**
 * The stored form of a key, by which it is looked up. A plain SHA-256 is enough for 256 random bits, and makes the timing of
 * the lookup harmless: it can only reveal something about the hash of a guess, which nobody can choose, and nothing about a
 * key.
 */
export function hashBearerKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** The end of a key, by which people distinguish keys. */
export function bearerKeyHint(key: string): string {
  return key.slice(-HINT_LENGTH);
}
