import { type LinearMatcher, compilePattern } from "../linear-regex/linear-matcher.ts";

/**
 * Converts a glob for entire paths to a pattern: `*` and `?` stay within one name, `**` spans any number of names, `{a,b}`
 * are alternatives and `[a-z]` is one character of a set.
 */
export function globToPattern(glob: string): string {
  let pattern = "";
  let braces = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob.charAt(at);
    if (glob.startsWith("**/", at)) {
      pattern += "(?:[^/]*/)*";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      pattern += "[\\s\\S]*";
      at += 1;
    } else if (character === "*") {
      pattern += "[^/]*";
    } else if (character === "?") {
      pattern += "[^/]";
    } else if (character === "[") {
      const set = /^\[(!|\^)?([^\]]+)\]/.exec(glob.slice(at));
      if (set === null) {
        pattern += "\\[";
        continue;
      }
      pattern += `[${set[1] === undefined ? "" : "^"}${(set[2] ?? "").replaceAll(/[\\[\]^]/g, String.raw`\$&`)}]`;
      at += set[0].length - 1;
    } else if (character === "{") {
      braces += 1;
      pattern += "(?:";
    } else if (character === "}" && braces > 0) {
      braces -= 1;
      pattern += ")";
    } else if (character === "," && braces > 0) {
      pattern += "|";
    } else {
      pattern += character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`);
    }
  }
  return pattern + ")".repeat(braces);
}

interface Glob {
  /** Its literal parts; undefined for a glob that is not a pattern, and for one with sets or braces. */
  readonly literals: readonly string[] | undefined;
  readonly isPattern: boolean;
  /** Created once a path contains all literals: most globs do not match, and need not be compiled for that. */
  matcher?: LinearMatcher;
}

const known = new Map<string, Glob>();

/**
 * Whether a glob matches an entire path. A glob that cannot be compiled matches nothing; policies are checked beforehand.
 */
export function matchesGlob(text: string, path: string): boolean {
  const glob = known.get(text) ?? readGlob(text);
  if (!glob.isPattern) return text === path;
  if (glob.literals?.every((part) => path.includes(part)) === false) return false;
  glob.matcher ??= compileGlob(text);
  return glob.matcher.matches(path);
}

function readGlob(text: string): Glob {
  const isPattern = /[*?[{]/.test(text);
  const literals = isPattern && !/[[{]/.test(text) ? text.split(/\*\*\/|[*?]/).filter(Boolean) : undefined;
  const glob = { isPattern, literals };
  known.set(text, glob);
  return glob;
}

function compileGlob(glob: string): LinearMatcher {
  try {
    return compilePattern(globToPattern(glob), { isWhole: true });
  } catch {
    return { matches: () => false };
  }
}
