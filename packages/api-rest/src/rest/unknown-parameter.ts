import { InvalidInputError } from "@workspace/core";

/** No name of ours is nearly as long; longer ones are truncated before they are compared or quoted. */
const MAX_NAME_LENGTH = 64;
/** With more typos than this it is another word, and a suggestion would only mislead. */
const MAX_TYPOS = 3;

/** Throws the error of {@link unknownParameter} for the first name that is not known. */
export function assertKnownParameters(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names) if (!known.includes(name)) throw unknownParameter(name, known);
}

/** The error for an unknown parameter of a query string or a tool, which suggests the one that was probably meant. */
export function unknownParameter(name: string, known: readonly string[]): InvalidInputError {
  const shown = Array.from(name.toWellFormed()).slice(0, MAX_NAME_LENGTH).join("");
  const hint = describeKnown(shown, known);
  return new InvalidInputError(`Unknown parameter "${shown}". ${hint}`, {
    issues: [{ path: shown, message: `is not a known parameter. ${hint}` }],
  });
}

function describeKnown(name: string, known: readonly string[]): string {
  if (known.length === 0) return "There are none.";
  const nearest = findNearest(name, known);
  if (nearest !== null) return `Did you mean "${nearest}"?`;
  return known.length === 1 ? `The only one is ${known.join()}.` : `Known ones are ${known.join(", ")}.`;
}

/** The known name with the fewest typos, ignoring case and separators; null if none is close. */
function findNearest(name: string, known: readonly string[]): string | null {
  const given = toLetters(name);
  let nearest: string | null = null;
  let fewest = Math.min(MAX_TYPOS, Math.floor(given.length / 2)) + 1;
  for (const candidate of known) {
    const typos = countTypos(given, toLetters(candidate));
    if (typos >= fewest) continue;
    nearest = candidate;
    fewest = typos;
  }
  return nearest;
}

/** `project_id`, `Project-Id` and `projectId[]` are the same name in different conventions. */
function toLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** The Levenshtein distance: how many letters have to be inserted, deleted or replaced. */
function countTypos(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[other.length] ?? 0;
}
