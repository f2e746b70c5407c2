import { type LinearMatcher, compilePattern } from "../linear-regex/linear-matcher.ts";
import { requiredText } from "../linear-regex/pattern-facts.ts";

const CASE_INSENSITIVE = "(?i)";

/** A rule's pattern: a regular expression, which a leading `(?i)` makes case-insensitive. */
export function compileRulePattern(source: string): LinearMatcher {
  const isCaseInsensitive = source.startsWith(CASE_INSENSITIVE);
  return compilePattern(withoutFlag(source), { isCaseInsensitive });
}

const matchers = new Map<string, LinearMatcher>();
const required = new Map<string, string>();

/** Whether a rule's pattern occurs in a text. Patterns are compiled only if the text that they require is present. */
export function occursIn(source: string, text: string): boolean {
  let needed = required.get(source);
  if (needed === undefined) {
    needed = requiredText(withoutFlag(source));
    required.set(source, needed);
  }
  if (needed !== "" && !text.toLowerCase().includes(needed)) return false;
  const matcher = matchers.get(source) ?? compileRulePattern(source);
  matchers.set(source, matcher);
  return matcher.matches(text);
}

function withoutFlag(source: string): string {
  return source.startsWith(CASE_INSENSITIVE) ? source.slice(CASE_INSENSITIVE.length) : source;
}
