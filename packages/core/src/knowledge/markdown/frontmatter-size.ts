/** Longer blocks are not frontmatter that a person would write. */
export const MAX_BLOCK_CHARACTERS = 64 * 1024;
/**
 * Parsing takes about ten microseconds per structural character, and much longer for nested collections, so both are bounded:
 * parsing the largest permitted block takes a fraction of the time for which a request may block others.
 */
const MAX_MARKS = 2_000;
const MAX_DEPTH = 32;

/** Whether a block of YAML is small and flat enough to be parsed on the main thread. Runs in linear time. */
export function isParsable(yaml: string): boolean {
  return yaml.length <= MAX_BLOCK_CHARACTERS && isPlain(yaml, MAX_MARKS);
}

/** Whether YAML is flat, and has at most so many structural characters. Runs in linear time. */
export function isPlain(yaml: string, maxMarks: number): boolean {
  let marks = 0;
  let depth = 0;
  let dashes = 0;
  for (const character of yaml) {
    switch (character) {
      case "[":
      case "{":
        depth += 1;
        break;
      case "]":
      case "}":
        depth = Math.max(depth - 1, 0);
        break;
      case "-":
      case "?":
        // Each of these can open a collection nested in the previous one.
        dashes += 1;
        break;
      case "\n":
        dashes = 0;
        break;
      case ",":
      case ":":
      case "#":
      case "&":
      case "*":
      case "!":
      case "'":
      case '"':
      case "\t":
        break;
      default:
        continue;
    }
    marks += 1;
    if (marks > maxMarks || depth > MAX_DEPTH || dashes > MAX_MARKS / 8) return false;
  }
  return true;
}
