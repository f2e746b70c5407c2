import { type JsonValue, isArray } from "../json/json-value.ts";
import { PRIVATE_MARK, withoutPrivateParts } from "./private-parts.ts";
import {
  SECRET_CONTEXTS,
  SHORTEST_UNKNOWN_SECRET,
  UNKNOWN_SECRET,
  isPlaceholder,
  isSecretName,
} from "./secret-context.ts";
import { SECRET_PATTERNS, SHORTEST_SECRET, replacePrefixed } from "./secret-patterns.ts";

export interface RedactionLimits {
  /** Longer texts are cut, and say so. */
  readonly maxTextLength: number;
  /** All texts of one value together. */
  readonly maxTotalLength: number;
}

export interface Redaction<T> {
  readonly value: T;
  /** How many secrets were taken out. */
  readonly secrets: number;
  readonly wasCut: boolean;
}

const MAX_DEPTH = 12;
const MAX_ENTRIES = 200;
/** A secret that the cut goes through must still be seen whole. */
const CUT_MARGIN = 2_000;

/** Replaces every secret in a text by a mark that names its family. `known` are secrets that are looked for literally. */
export function redactText(text: string, known: readonly string[] = []): Redaction<string> {
  let secrets = 0;
  let value = withoutPrivateParts(text);
  const take = (name: string): string => {
    secrets += 1;
    return `[redacted:${name}]`;
  };
  for (const secret of known) if (secret.length >= 8) value = value.replaceAll(secret, () => take("known-secret"));
  if (value.length >= SHORTEST_SECRET) {
    value = replacePrefixed(value, take);
    for (const { name, pattern, hints } of SECRET_PATTERNS) {
      if (hints.some((hint) => value.includes(hint))) value = value.replace(pattern(), () => take(name));
    }
  }
  const lower = value.toLowerCase();
  const contexts = value.length < SHORTEST_UNKNOWN_SECRET ? SECRET_CONTEXTS : [...SECRET_CONTEXTS, UNKNOWN_SECRET];
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
 * Makes a JSON value fit to be stored elsewhere: private parts and secrets out, long texts cut, depth and number of
 * entries bounded, and nothing in it that a database refuses (NUL, half characters).
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

/** A text as PostgreSQL and JSON can keep it. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\uFFFD").toWellFormed();
}

function lastText(groups: readonly unknown[]): string | undefined {
  // After the groups, replace() passes the offset, the whole text and perhaps the named groups.
  const offset = groups.findLastIndex((group) => typeof group === "number");
  const secret = groups[offset - 1];
  return typeof secret === "string" ? secret : undefined;
}

function isMark(text: string): boolean {
  return text.includes("[redacted:") || text.startsWith("redacted:") || text.includes(PRIVATE_MARK);
}
