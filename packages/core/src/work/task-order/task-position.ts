import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";

/** A longer position is replaced, with those around it. */
export const MAX_POSITION = 40;

/**
 * A position between two others, `null` at an end; null if there is none or it would be too long, so that those around it must be
 * spread first.
 */
export function positionBetween(before: string | null, after: string | null): string | null {
  if (before !== null && after !== null && before >= after) return null;
  const position = generateKeyBetween(before, after);
  return position.length > MAX_POSITION ? null : position;
}

/** So many positions between two others, evenly; null if there are none or they would be too long. */
export function positionsBetween(before: string | null, after: string | null, count: number): string[] | null {
  if (before !== null && after !== null && before >= after) return null;
  const positions = generateNKeysBetween(before, after, count);
  // Half of the room is left for what is moved between them.
  return positions.some(({ length }) => length > MAX_POSITION / 2) ? null : positions;
}
