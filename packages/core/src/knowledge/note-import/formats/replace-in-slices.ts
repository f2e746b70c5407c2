import { inSlices } from "../../../platform/in-slices.ts";

/** A part of a text, and what is to be in its position. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** As many parts as are joined in less than a millisecond. */
const PARTS_AT_ONCE = 5_000;

/**
 * The text with parts replaced; yields to the event loop in between. Replacements are in order and do not overlap; null stands for
 * text that was searched without one.
 */
export async function replaceInSlices(text: string, replacements: Iterable<Replacement | null>): Promise<string> {
  const joined: string[] = [];
  let parts: string[] = [];
  let keptTo = 0;
  await inSlices(replacements, (replacement) => {
    if (replacement === null) return;
    parts.push(text.slice(keptTo, replacement.start), replacement.text);
    keptTo = replacement.end;
    if (parts.length < PARTS_AT_ONCE) return;
    joined.push(parts.join(""));
    parts = [];
  });
  return keptTo === 0 ? text : joined.join("") + parts.join("") + text.slice(keptTo);
}
