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

/** A glob without alternatives, or one that is too complicated to be taken apart. */
interface Glob {
  readonly text: string;
  /** Its literal parts; undefined for a glob that is not a pattern, and for one with sets or braces. */
  readonly literals: readonly string[] | undefined;
  readonly isPattern: boolean;
  /** Created once a path contains all literals: most globs do not match, and need not be compiled for that. */
  matcher?: LinearMatcher;
}

/** The alternatives of each glob that has been used. */
const known = new Map<string, readonly Glob[]>();

const MAX_ALTERNATIVES = 64;

/**
 * Whether a glob matches an entire path. A glob that cannot be compiled matches nothing; policies are checked beforehand.
 */
export function matchesGlob(text: string, path: string): boolean {
  let globs = known.get(text);
  if (globs === undefined) known.set(text, (globs = readGlobs(text)));
  return globs.some((glob) => matches(glob, path));
}

function matches(glob: Glob, path: string): boolean {
  if (!glob.isPattern) return glob.text === path;
  if (glob.literals?.every((part) => path.includes(part)) === false) return false;
  glob.matcher ??= compileGlob(glob.text);
  return glob.matcher.matches(path);
}

function readGlobs(text: string): readonly Glob[] {
  const alternatives = text.includes("[") ? undefined : expandBraces(text);
  return (alternatives ?? [text]).map((alternative) => readGlob(alternative));
}

/** `a.{b,c}` as `a.b` and `a.c`; nested braces stay. Undefined if there are too many. */
function expandBraces(glob: string): readonly string[] | undefined {
  const [, before, choices, after] = /^([^{]*)\{([^{}]*)\}([^]*)$/.exec(glob) ?? [];
  if (before === undefined || choices === undefined || after === undefined) return [glob];
  const ends = expandBraces(after);
  const all = ends && choices.split(",").flatMap((choice) => ends.map((end) => before + choice + end));
  return all !== undefined && all.length <= MAX_ALTERNATIVES ? all : undefined;
}

function readGlob(text: string): Glob {
  const isPattern = /[*?[{]/.test(text);
  const literals = isPattern && !/[[{]/.test(text) ? text.split(/\*\*\/|[*?]/).filter(Boolean) : undefined;
  return { text, isPattern, literals };
}

function compileGlob(glob: string): LinearMatcher {
  try {
    return compilePattern(globToPattern(glob), { isWhole: true });
  } catch {
    return { matches: () => false };
  }
}
