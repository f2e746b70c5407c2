import type { Redactor } from "../platform/redactor.ts";

/** Shorter values are words and numbers that occur everywhere; taking them out would make texts unreadable. */
const MIN_LENGTH = 6;
/** A line of a longer value that gives it away by itself, such as one of a private key. */
const MIN_LINE_LENGTH = 16;

export interface SecretValue {
  readonly key: string;
  readonly value: string;
}

/** Takes the exact values of all secrets out of texts. */
export interface SecretRedactor extends Redactor {
  /**
   * Reads the values again; to be called before the first use and after each change, also by another process. When it
   * fails, the values so far stay, and the failure is thrown.
   */
  refresh(): Promise<void>;
}

interface Pattern {
  readonly text: string;
  readonly mark: string;
}

/**
 * A redactor of the values that `loadValues` gives. They are found as they are and as they look inside JSON, an address or
 * base64; those of fewer than six characters are left alone.
 */
export function createSecretRedactor(loadValues: () => Promise<readonly SecretValue[]>): SecretRedactor {
  let patterns: readonly Pattern[] = [];
  let lastRefresh = 0;

  function redact(text: string): string {
    let redacted = text;
    for (const pattern of patterns) {
      if (redacted.includes(pattern.text)) redacted = redacted.replaceAll(pattern.text, () => pattern.mark);
    }
    return redacted;
  }

  /** Where a value could begin that goes on after the end of the text; its length where none does. */
  function findUnfinished(text: string): number {
    const longest = patterns[0]?.text.length ?? 0;
    for (let start = Math.max(0, text.length - longest + 1); start < text.length; start += 1) {
      const end = text.slice(start);
      if (patterns.some((pattern) => pattern.text.length > end.length && pattern.text.startsWith(end))) return start;
    }
    return text.length;
  }

  function settledLength(text: string): number {
    let length = findUnfinished(text);
    // A value that is there must not be cut in two.
    for (;;) {
      const cut = patterns.map((pattern) => findCut(text, pattern.text, length)).filter((start) => start !== -1);
      if (cut.length === 0) return length;
      length = Math.min(...cut);
    }
  }

  return {
    redact,
    settledLength,
    redactObject: (object) => (patterns.length === 0 ? object : redactFields(object, redact)),
    async refresh() {
      lastRefresh += 1;
      const refresh = lastRefresh;
      const values = await loadValues();
      // Of refreshes at the same time the one that began last has read the newest values.
      if (refresh === lastRefresh) patterns = toPatterns(values);
    },
  };
}

/** Where a value begins in the text that begins before a place and ends behind it; -1 where none does. */
function findCut(text: string, value: string, place: number): number {
  const start = text.indexOf(value, Math.max(0, place - value.length + 1));
  return start !== -1 && start < place ? start : -1;
}

/** Longest first, so that a value which contains another one is taken out as a whole. */
function toPatterns(values: readonly SecretValue[]): Pattern[] {
  const marks = new Map<string, string>();
  for (const { key, value } of values) {
    for (const text of formsOf(value)) marks.set(text, `[secret ${key}]`);
  }
  return [...marks]
    .map(([text, mark]) => ({ text, mark }))
    .toSorted((one, other) => other.text.length - one.text.length);
}

/** The value, and how it looks in the places where texts usually carry it. */
function formsOf(value: string): Set<string> {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const plain = [value, trimmed, ...(lines.length > 1 ? lines.filter((line) => line.length >= MIN_LINE_LENGTH) : [])];
  const forms = plain.flatMap((text) => {
    const bytes = Buffer.from(text);
    const base64 = bytes.toString("base64");
    return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), base64, bytes.toString("base64url")];
  });
  return new Set(forms.filter((form) => form.length >= MIN_LENGTH));
}

function redactFields(object: object, redact: (text: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [redact(name), redactDeep(value, redact)]));
}

function redactDeep(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  return typeof value === "object" && value !== null ? redactFields(value, redact) : value;
}
