import { isLineBreak } from "./line-breaks.ts";
import { BASE64, HEX, PLAIN, type Notations, type PrefixTable } from "./prefix-table.ts";
import type { EscapeReader } from "./text-escapes.ts";

/**
 * Returns the notations in which a value may start at a position that the hash of three code units does not settle: near an
 * escape or a line break, or at the end of the text. `isSpecial` flags the code units that begin an escape.
 */
export function createPrefixFilter(
  prefixes: PrefixTable,
  isSpecial: Uint8Array,
  escapes: EscapeReader,
): (text: string, at: number) => Notations {
  function lookUp(before: number | null, unit: number): Notations {
    return before === null ? prefixes.ofOne(unit) : prefixes.ofTwo(before, unit);
  }

  /** Decides by the escape at `at` and the code unit before it, which is null where the value itself starts with the escape. */
  function filterEscape(text: string, at: number, before: number | null): Notations {
    const readings = escapes.read(text, at);
    let notations = lookUp(before, text.charCodeAt(at));
    for (let index = 0; index < readings.count; index += 1) {
      const unit = readings.first[index] ?? 0;
      notations |= lookUp(before, unit);
      if (before !== null && isLineBreak(unit)) notations |= BASE64;
    }
    return (readings.isCut ? PLAIN | BASE64 : notations) & ~HEX;
  }

  return (text, at) => {
    const code = text.charCodeAt(at);
    if (isSpecial[code] === 1) return filterEscape(text, at, null);
    if (at + 1 >= text.length) return prefixes.ofOne(code);
    const next = text.charCodeAt(at + 1);
    if (isSpecial[next] === 1) return filterEscape(text, at + 1, code);
    return prefixes.ofTwo(code, next) | (isLineBreak(next) ? prefixes.ofOne(code) & BASE64 : 0);
  };
}
