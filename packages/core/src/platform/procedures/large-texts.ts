import { randomUUID } from "node:crypto";
import { PIECE_CHARACTERS } from "../text-pieces.ts";

/** Procedures return the texts of documents at most this deep: in a field of `data`. */
const MAX_DEPTH = 2;

/**
 * Extracts long texts from the output of procedures, for a transport whose library serializes JSON in one go: each is
 * replaced with a placeholder, at which the transport can then write the text piece by piece.
 */
export interface LargeTexts {
  /** By placeholder. */
  readonly texts: ReadonlyMap<string, string>;
  /** Replaces the long texts in the fields of the output, in place. */
  extract(output: unknown): void;
}

export function createLargeTexts(): LargeTexts {
  const texts = new Map<string, string>();

  function extract(value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [name, field] of Object.entries(value)) {
      if (typeof field === "string" && field.length > PIECE_CHARACTERS) {
        const placeholder = randomUUID();
        texts.set(placeholder, field);
        Reflect.set(value, name, placeholder);
      } else if (depth < MAX_DEPTH) extract(field, depth + 1);
    }
  }

  return { texts, extract: (output) => extract(output, 1) };
}
