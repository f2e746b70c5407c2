import { type JsonValue, isArray } from "../json/json-value.ts";
import { PRIVATE_MARK, withoutPrivateParts } from "./private-parts.ts";
import {
  SECRET_CONTEXTS,
  MIN_UNKNOWN_SECRET_LENGTH,
  UNKNOWN_SECRET,
  isPlaceholder,
  isSecretName,
} from "./secret-context.ts";
import { SECRET_PATTERNS, MIN_SECRET_LENGTH, replacePrefixed } from "./secret-patterns.ts";

export interface RedactionLimits {
  /** Longer texts are truncated, and marked as such. */
  readonly maxTextLength: number;
  /** The limit for all texts of one value together. */
  readonly maxTotalLength: number;
}

export interface Redaction<T> {
  readonly value: T;
  /** How many secrets were removed. */
  readonly secrets: number;
  readonly wasCut: boolean;
}

const MAX_DEPTH = 12;
const MAX_ENTRIES = 200;
/** A secret at the cut must still be seen as a whole. */
const CUT_MARGIN = 2_000;

/** Replaces every secret in a text by a mark that names its family. `known` are secrets to search for literally. */
export function redactText(text: string, known: readonly string[] = []): Redaction<string> {
  let secrets = 0;
  let value = withoutPrivateParts(text);
  const take = (name: string): string => {
    secrets += 1;
    return `[redacted:${name}]`;
  };
  for (const secret of known) if (secret.length >= 8) value = value.replaceAll(secret, () => take("known-secret"));
  if (value.length >= MIN_SECRET_LENGTH) {
    value = replacePrefixed(value, take);
    for (const { name, pattern, hints } of SECRET_PATTERNS) {
      if (hints.some((hint) => value.includes(hint))) value = value.replace(pattern(), () => take(name));
    }
  }
  const lower = value.toLowerCase();
  const contexts = value.length < MIN_UNKNOWN_SECRET_LENGTH ? SECRET_CONTEXTS : [...SECRET_CONTEXTS, UNKNOWN_SECRET];
  for (const { name, hints, forms } of contexts) {
    if (!hints.some((hint) => lower.includes(hint))) continue;
    for (const { pattern, accepts } of forms) {
      value = value.replace(pattern(), (whole: string, ...groups: readonly unknown[]) => {
        const secret = lastText(groups);
        if (secret === undefined || isMark(secret) || !accepts(secret)) return whole;
        return whole.slice(0, whole.length - secret.length) + take(name);
      });
    }
  }
  return { value, secrets, wasCut: false };
}

/**
 * Makes a JSON value fit for storage elsewhere: removes private parts and secrets, truncates long texts, limits depth and
 * number of entries, and removes everything that a database rejects (NUL, lone surrogates).
 */
export function redactValue(
  value: JsonValue,
  limits: RedactionLimits,
  known: readonly string[] = [],
): Redaction<JsonValue> {
  let secrets = 0;
  let wasCut = false;
  let left = limits.maxTotalLength;

  const cleanText = (text: string): string => {
    const limit = Math.max(0, Math.min(limits.maxTextLength, left));
    const redacted = redactText(text.length > limit + CUT_MARGIN ? text.slice(0, limit + CUT_MARGIN) : text, known);
    secrets += redacted.secrets;
    const isLong = redacted.value.length > limit;
    if (isLong) wasCut = true;
    const kept = isLong ? `${redacted.value.slice(0, limit)}… [cut]` : redacted.value;
    left -= kept.length;
    return storable(kept);
  };
  const clean = (item: JsonValue, depth: number): JsonValue => {
    if (typeof item === "string") return cleanText(item);
    if (typeof item !== "object" || item === null) return item;
    if (depth >= MAX_DEPTH) {
      wasCut = true;
      return "[too deep]";
    }
    const size = isArray(item) ? item.length : Object.keys(item).length;
    if (size > MAX_ENTRIES) wasCut = true;
    if (isArray(item)) return item.slice(0, MAX_ENTRIES).map((entry) => clean(entry, depth + 1));
    return Object.fromEntries(
      Object.entries(item)
        .slice(0, MAX_ENTRIES)
        .map(([key, entry]) => [
          storable(redactText(key.slice(0, 200), known).value),
          cleanEntry(key, entry ?? null, depth),
        ]),
    );
  };
  const cleanEntry = (key: string, entry: JsonValue, depth: number): JsonValue => {
    if (typeof entry !== "string" || !isSecretName(key) || entry.length < 4 || isPlaceholder(entry))
      return clean(entry, depth + 1);
    secrets += 1;
    return `[redacted:${key.slice(0, 40).toLowerCase()}]`;
  };
  return { value: clean(value, 0), secrets, wasCut };
}

/** A text that PostgreSQL and JSON can store. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

function lastText(groups: readonly unknown[]): string | undefined {
  // After the groups, replace() passes the offset, the entire text and possibly the named groups.
  const offset = groups.findLastIndex((group) => typeof group === "number");
  const secret = groups[offset - 1];
  return typeof secret === "string" ? secret : undefined;
}

function isMark(text: string): boolean {
  return text.includes("[redacted:") || text.startsWith("redacted:") || text.includes(PRIVATE_MARK);
}
