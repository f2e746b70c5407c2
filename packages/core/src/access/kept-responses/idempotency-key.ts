import { InvalidInputError } from "../../platform/errors.ts";

const MAX_LENGTH = 255;

/** Throws {@link InvalidInputError} unless a text can be an `Idempotency-Key`. */
export function assertIdempotencyKey(key: string): void {
  if (key !== "" && key.length <= MAX_LENGTH && /^[\x20-\x7e]+$/.test(key)) return;
  throw new InvalidInputError(`The Idempotency-Key must have 1 to ${MAX_LENGTH} ASCII characters.`);
}
