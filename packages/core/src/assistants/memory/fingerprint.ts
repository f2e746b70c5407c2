import { createHash } from "node:crypto";
import { foldText } from "../../platform/fold-text.ts";
import { contentKey } from "./content-key.ts";
import { marksOf } from "./memory-use.ts";
import { distinguishingMarks } from "./repetition.ts";
import { hashText, similarityKeys } from "./similarity-keys.ts";

/** By what a text is recognised that says the same as another one, without either of them. */
export interface Fingerprint {
  readonly contentKey: string;
  /** A hash of its figures, negations and identifiers. */
  readonly marksKey: string;
  readonly wordHashes: readonly number[];
  readonly similarityKeys: readonly number[];
}

/** The letters by which a word is recognised in its other forms. */
const STEM_LENGTH = 4;
/** Two texts are nearly equal if they share this part of their words: of a short one no word may differ. */
const MIN_SHARED_WORDS = 0.75;

export function fingerprintOf(content: string, projectPath: string | null): Fingerprint {
  const words = foldText(content).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return {
    contentKey: contentKey(content),
    marksKey: createHash("sha256")
      .update(`${distinguishingMarks(content)}\n${marksOf(content).toSorted().join(" ")}`)
      .digest("base64url"),
    wordHashes: [...new Set(words.map((word) => hashText(word.slice(0, STEM_LENGTH))))],
    similarityKeys: similarityKeys(content, projectPath),
  };
}

/** Whether two texts say the same, or nearly. */
export function isNearlyEqual(
  one: Omit<Fingerprint, "similarityKeys">,
  other: Omit<Fingerprint, "similarityKeys">,
): boolean {
  if (one.contentKey === other.contentKey) return true;
  if (one.marksKey !== other.marksKey) return false;
  const words = new Set(one.wordHashes);
  const shared = other.wordHashes.filter((word) => words.has(word)).length;
  return shared >= MIN_SHARED_WORDS * (words.size + other.wordHashes.length - shared);
}
