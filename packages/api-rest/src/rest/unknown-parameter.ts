import { InvalidInputError } from "@workspace/core";

/** No name of ours is nearly as long; what is longer is cut before it is compared or quoted. */
const MAX_NAME_LENGTH = 64;
/** More wrong letters than this make it another word, and a guess would only mislead. */
const MAX_TYPOS = 3;

/** The refusal of a query parameter that an address does not take: it names the parameter and the one that was probably meant. */
export function unknownParameter(name: string, known: readonly string[]): InvalidInputError {
  const shown = Array.from(name.toWellFormed()).slice(0, MAX_NAME_LENGTH).join("");
  const hint = describeKnown(shown, known);
  return new InvalidInputError(`Unknown parameter "${shown}". ${hint}`, {
    issues: [{ path: shown, message: `is not a known parameter. ${hint}` }],
  });
}

function describeKnown(name: string, known: readonly string[]): string {
  if (known.length === 0) return "This address takes none.";
  const nearest = findNearest(name, known);
  if (nearest !== null) return `Did you mean "${nearest}"?`;
  return known.length === 1 ? `The only one is ${known.join()}.` : `Known ones are ${known.join(", ")}.`;
}

/** The name that is the same but for case and separators, else the one with the fewest typos; null where none is close. */
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

/** `project_id`, `Project-Id` and `projectId[]` are all the same name written in another convention. */
function toLetters(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Levenshtein's distance: how many letters have to be put in, taken out or replaced. */
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
