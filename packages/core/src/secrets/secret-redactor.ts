import type { Redactor } from "../platform/redactor.ts";
import { createSecretScanner, type SecretScanner, type SecretValue } from "./secret-scanner.ts";

export type { SecretValue } from "./secret-scanner.ts";

/** Takes the values of all secrets out of texts. */
export interface SecretRedactor extends Redactor {
  /**
   * Reads the values again; to be called before the first use and after each change, also by another process. When it
   * fails, the values so far stay, and the failure is thrown.
   */
  refresh(): Promise<void>;
}

/**
 * A redactor of the values that `loadValues` gives, in all forms that the scanner finds; those of fewer than six characters
 * are left alone. Values that overlap are taken out together. The time is bounded by the text's length: of a text that agrees
 * with values in so many places that looking at all of them would take longer, the rest is withheld.
 */
export function createSecretRedactor(loadValues: () => Promise<readonly SecretValue[]>): SecretRedactor {
  let scanner: SecretScanner | null = null;
  let lastRefresh = 0;

  const redact = (text: string): string => (scanner === null ? text : redactWith(scanner, text));

  return {
    redact,
    settledLength: (text) => (scanner === null ? text.length : settledLengthWith(scanner, text)),
    redactObject: (object) => (scanner === null ? object : redactFields(object, redact)),
    async refresh() {
      lastRefresh += 1;
      const refresh = lastRefresh;
      const values = await loadValues();
      // Of refreshes at the same time the one that began last has read the newest values.
      if (refresh === lastRefresh) scanner = values.length === 0 ? null : createSecretScanner(values);
    },
  };
}

/** Stands for the rest of a text in which values cannot be told from other text in the time there is. */
const WITHHELD = "[withheld: too much here looks like secrets]";

function redactWith(scanner: SecretScanner, text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let coveredTo = 0;
  const marks = new Set<string>();
  scanner.begin(text);
  let at = scanner.next(text, 0);
  while (at < text.length) {
    const { end, mark, isTooHard } = scanner.finding;
    if (isTooHard) return [...parts, text.slice(kept, Math.max(kept, at)), WITHHELD].join("");
    if (end > coveredTo) {
      if (at >= coveredTo) {
        parts.push(text.slice(kept, at));
        marks.clear();
      }
      // A value that begins within another one and goes on behind it is named too, each once.
      if (!marks.has(mark)) parts.push(mark);
      marks.add(mark);
      coveredTo = end;
      kept = end;
    }
    at = scanner.next(text, at + 1);
  }
  return kept === 0 ? text : parts.join("") + text.slice(kept);
}

/** What is redacted up to here cannot be changed by what follows; null where nothing that follows may be shown. */
function settledLengthWith(scanner: SecretScanner, text: string): number | null {
  let coveredFrom = 0;
  let coveredTo = 0;
  scanner.begin(text);
  let at = scanner.next(text, 0);
  while (at < text.length) {
    const { end, isOpen, isTooHard } = scanner.finding;
    if (isTooHard) return null;
    const start = at < coveredTo ? coveredFrom : at;
    if (isOpen) return start;
    if (end > coveredTo) {
      coveredFrom = start;
      coveredTo = end;
    }
    at = scanner.next(text, at + 1);
  }
  return text.length;
}

function redactFields(object: object, redact: (text: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [redact(name), redactDeep(value, redact)]));
}

function redactDeep(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, redact));
  return typeof value === "object" && value !== null ? redactFields(value, redact) : value;
}
