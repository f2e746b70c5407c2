import { createHash } from "node:crypto";
import { foldText } from "../../platform/fold-text.ts";
import { contentKey } from "./content-key.ts";
import { marksOf } from "./memory-use.ts";
import { withoutUmlauts } from "./number-words.ts";
import { plainWording } from "./plain-wording.ts";
import { distinguishingMarks } from "./repetition.ts";
import { hashText, similarityKeys } from "./similarity-keys.ts";
import { tellingWords } from "./telling-words.ts";

/** By what a text is recognised that says the same as another one, without either of them. */
export interface Fingerprint {
  readonly contentKey: string;
  /** A hash of its figures, number words, negations and identifiers. */
  readonly marksKey: string;
  readonly wordHashes: readonly number[];
  /** Hashes of its telling words. */
  readonly factHashes: readonly number[];
  readonly similarityKeys: readonly number[];
}

/** A fingerprint that was stored. Before there were facts, number words were no marks either. */
export interface KnownFingerprint extends Omit<Fingerprint, "similarityKeys" | "factHashes"> {
  readonly factHashes: readonly number[] | null;
}

/** The letters by which a word is recognised in its other forms. */
const STEM_LENGTH = 4;
/** Two texts with the same telling words are nearly equal if they share this part of all their words; if those are unknown, more. */
const MIN_SHARED_WORDS = 0.5;
const MIN_SHARED_WITHOUT_FACTS = 0.75;

export function fingerprintOf(content: string, projectPath: string | null): Fingerprint {
  const wording = plainWording(content);
  const words = withoutUmlauts(foldText(wording)).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return {
    contentKey: contentKey(content),
    marksKey: marksKeyOf(wording),
    wordHashes: [...new Set(words.map((word) => hashText(word.slice(0, STEM_LENGTH))))],
    factHashes: tellingWords(wording).map(hashText),
    similarityKeys: similarityKeys(wording, projectPath),
  };
}

/**
 * Whether a text says the same as one of which only the fingerprint is known, or nearly. What differs from it in a number, a negation,
 * an identifier or a telling word, such as a name, is a correction.
 */
export function isNearlyEqual(content: string, own: Fingerprint, known: KnownFingerprint): boolean {
  if (own.contentKey === known.contentKey) return true;
  if (known.factHashes === null ? marksKeyOf(content) !== known.marksKey : own.marksKey !== known.marksKey)
    return false;
  if (known.factHashes !== null && !isSameSet(own.factHashes, known.factHashes)) return false;
  const hasFacts = known.factHashes !== null && known.factHashes.length > 0;
  const words = new Set(own.wordHashes);
  const shared = known.wordHashes.filter((word) => words.has(word)).length;
  const minShared = hasFacts ? MIN_SHARED_WORDS : MIN_SHARED_WITHOUT_FACTS;
  return shared >= minShared * (words.size + known.wordHashes.length - shared);
}

function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  const members = new Set(one);
  return members.size === other.length && other.every((member) => members.has(member));
}

function marksKeyOf(content: string): string {
  return createHash("sha256")
    .update(`${distinguishingMarks(content)}\n${marksOf(content).toSorted().join(" ")}`)
    .digest("base64url");
}
