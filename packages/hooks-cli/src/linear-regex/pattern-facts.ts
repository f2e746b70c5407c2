import { type Pattern, parsePattern } from "./pattern-syntax.ts";

/**
 * A text that occurs in every match of the pattern, in lower case; empty if there is none. Searching for it first is much
 * faster than running the pattern.
 */
export function requiredText(source: string): string {
  return longestRun(parsePattern(source)).toLowerCase();
}

function longestRun(pattern: Pattern): string {
  if (pattern.kind !== "sequence")
    return onlyCharacter(pattern) ?? (pattern.kind === "repeat" && pattern.min > 0 ? longestRun(pattern.item) : "");
  let longest = "";
  let run = "";
  for (const item of pattern.items) {
    const character = onlyCharacter(item);
    if (character !== undefined) {
      run += character;
      continue;
    }
    longest = longer(longest, run);
    run = "";
    // An assertion consumes nothing, but for simplicity the texts on its two sides are treated separately.
    longest = longer(longest, longestRun(item));
  }
  return longer(longest, run);
}

function longer(a: string, b: string): string {
  return b.length > a.length ? b : a;
}

function onlyCharacter(pattern: Pattern): string | undefined {
  if (pattern.kind !== "set" || pattern.set.isNegated) return undefined;
  const [only] = pattern.set.ranges;
  const isOne = pattern.set.ranges.length === 1 && only !== undefined && only[0] === only[1];
  return isOne ? String.fromCharCode(only[0]) : undefined;
}
