import { type LinearMatcher, compilePattern } from "../linear-regex/linear-matcher.ts";

/**
 * A glob over whole paths as a pattern: `*` and `?` stay within one name, `**` goes through any number of them, `{a,b}`
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

const compiled = new Map<string, LinearMatcher>();

/** Whether a glob matches a whole path. A glob that cannot be compiled matches nothing; policies are checked before. */
export function matchesGlob(glob: string, path: string): boolean {
  if (!/[*?[{]/.test(glob)) return glob === path;
  if (!hasLiteralsOf(glob, path)) return false;
  const matcher = compiled.get(glob) ?? compileGlob(glob);
  compiled.set(glob, matcher);
  return matcher.matches(path);
}

/** Whether what stands in the glob as it is stands in the path too: most globs fit nothing, and need not be compiled for that. */
function hasLiteralsOf(glob: string, path: string): boolean {
  return /[[{]/.test(glob) || glob.split(/\*\*\/|[*?]/).every((part) => path.includes(part));
}

function compileGlob(glob: string): LinearMatcher {
  try {
    return compilePattern(globToPattern(glob), { isWhole: true });
  } catch {
    return { matches: () => false };
  }
}
