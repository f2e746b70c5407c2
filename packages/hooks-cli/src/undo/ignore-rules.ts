import { matchesGlob } from "../shell/path-glob.ts";
import { type RawPath, isAtOrBelow } from "./raw-path.ts";

interface IgnoreRule {
  readonly glob: string;
  readonly isNegated: boolean;
  readonly isForDirectories: boolean;
}

/** The rules of one file. They apply to what is in its directory, and below. */
interface RuleFile {
  readonly directory: RawPath;
  readonly rules: readonly IgnoreRule[];
}

/** What git would leave out of a repository, as far as its ignore files say. */
export class IgnoreRules {
  readonly #files: readonly RuleFile[];

  private constructor(files: readonly RuleFile[]) {
    this.#files = files;
  }

  static readonly none = new IgnoreRules([]);

  /** Adds the rules of a file in a directory. They take precedence over those before them. */
  with(directory: RawPath, text: string): IgnoreRules {
    const rules = parseRules(text);
    return rules.length === 0 ? this : new IgnoreRules([...this.#files, { directory, rules }]);
  }

  /** Whether a rule says that a path is ignored; that one of its directories may be ignored is the caller's business. */
  ignores(path: RawPath, isDirectory: boolean): boolean {
    for (const { directory, rules } of this.#files.toReversed()) {
      if (!isAtOrBelow(path, directory)) continue;
      const relative = directory === "" ? path : path.slice(directory.length + 1);
      const last = rules.findLast(
        (rule) => (isDirectory || !rule.isForDirectories) && matchesGlob(rule.glob, relative),
      );
      if (last !== undefined) return !last.isNegated;
    }
    return false;
  }
}

function parseRules(text: string): readonly IgnoreRule[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const isNegated = line.startsWith("!");
    const trimmed = withoutTrailingSpaces(isNegated ? line.slice(1) : line);
    const isForDirectories = trimmed.endsWith("/");
    const pattern = isForDirectories ? trimmed.slice(0, -1) : trimmed;
    if (pattern === "" || line.startsWith("#")) return [];
    const isAnchored = pattern.includes("/");
    const glob = toGlob(pattern.startsWith("/") ? pattern.slice(1) : pattern);
    return [{ glob: isAnchored ? glob : `**/${glob}`, isNegated, isForDirectories }];
  });
}

function withoutTrailingSpaces(line: string): string {
  const text = line.trimEnd();
  return text.endsWith("\\") ? line.slice(0, text.length + 1) : text;
}

/** git's patterns have no braces, and escape with a backslash. */
function toGlob(pattern: string): string {
  return pattern.replaceAll(/\\(.)|([{}])/g, (_, escaped: string | undefined, brace: string | undefined) => {
    const literal = escaped ?? brace ?? "";
    return /[*?[{}]/.test(literal) ? `[${literal}]` : literal;
  });
}
