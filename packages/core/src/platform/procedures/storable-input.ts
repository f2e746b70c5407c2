import { InvalidInputError } from "../errors.ts";

/** Deeper than any legitimate input, and far below what would overflow the stack of a recursive function. */
const MAX_DEPTH = 100;

/**
 * Throws {@link InvalidInputError} for input that PostgreSQL cannot store unchanged, whatever the transport: NUL characters,
 * lone surrogates (which would silently become U+FFFD), and nesting beyond {@link MAX_DEPTH}.
 */
export function assertStorable(input: unknown): void {
  assertStorableAt([], input);
}

/** `path` is a single array used as a stack: building a string for each value would cost more than the checks. */
function assertStorableAt(path: (string | number)[], value: unknown): void {
  if (typeof value === "string") return assertStorableText(path, value);
  if (typeof value !== "object" || value === null) return;
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    if (path.length === MAX_DEPTH) {
      throw new InvalidInputError(`The input is nested more than ${MAX_DEPTH} levels deep.`);
    }
    if (typeof key === "string") assertStorableText(path, key);
    path.push(key);
    assertStorableAt(path, Reflect.get(value, key));
    path.pop();
  }
}

function assertStorableText(path: readonly (string | number)[], text: string): void {
  if (text.includes("\0")) throw InvalidInputError.at(path.join("."), "must not contain NUL characters");
  if (!text.isWellFormed()) throw InvalidInputError.at(path.join("."), "must not contain lone surrogates");
}
