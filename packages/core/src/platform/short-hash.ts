import { createHash } from "node:crypto";

const MAX_CACHED = 1_000;
const MAX_CACHED_LENGTH = 1_000;

/**
 * Returns a function that computes the first characters of a text's SHA-1 in base64url. The hashes of short texts are
 * cached, because the same ones recur and hashing costs a tenth of a read by id.
 */
export function createShortHash(length: number): (text: string) => string {
  const cache = new Map<string, string>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const hash = createHash("sha1").update(text).digest("base64url").slice(0, length);
    if (cache.size === MAX_CACHED) cache.clear();
    if (text.length <= MAX_CACHED_LENGTH) cache.set(text, hash);
    return hash;
  };
}
