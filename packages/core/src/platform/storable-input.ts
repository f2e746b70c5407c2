import { InvalidInputError } from "./errors.ts";

/** Deeper than anything a person or program means to send, far below what would exhaust the stack of a recursive reader. */
const MAX_DEPTH = 100;

/**
 * Refuses input that PostgreSQL cannot store as it is, whichever transport it came through: NUL characters, lone
 * surrogates (which would silently become U+FFFD), and nesting beyond {@link MAX_DEPTH}. Throws {@link InvalidInputError}.
 */
export function assertStorable(input: unknown): void {
  let level: Array<{ path: string; value: unknown }> = [{ path: "", value: input }];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new InvalidInputError(`The input is nested more than ${MAX_DEPTH} levels deep.`);
    const next: typeof level = [];
    for (const { path, value } of level) {
      if (typeof value === "string") assertStorableText(path, value);
      else if (typeof value === "object" && value !== null) {
        for (const [key, child] of Object.entries(value)) {
          assertStorableText(path, key);
          next.push({ path: path === "" ? key : `${path}.${key}`, value: child });
        }
      }
    }
    level = next;
  }
}

function assertStorableText(path: string, text: string): void {
  if (text.includes("\0")) throw InvalidInputError.at(path, "must not contain NUL characters");
  if (!text.isWellFormed()) throw InvalidInputError.at(path, "must not contain lone surrogates");
}
