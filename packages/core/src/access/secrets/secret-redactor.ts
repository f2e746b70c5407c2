import type { Redactor } from "../../platform/redactor.ts";
import { createSecretScanner, type SecretScanner, type SecretValue } from "./secret-scanner.ts";

export type { SecretValue } from "./secret-scanner.ts";

/** Removes the values of all secrets from texts. */
export interface SecretRedactor extends Redactor {
  /**
   * Reloads the values. Must be called before the first use and after each change, including changes by other processes. If
   * loading fails, it keeps the previous values and throws.
   */
  refresh(): Promise<void>;
}

/**
 * Creates a redactor of the values that `loadValues` returns, in all forms that the scanner finds. Values shorter than six
 * characters are ignored; overlapping values are removed together. Its running time is linear in the length of the text: if a
 * text resembles values in too many places to check them all, the rest of it is withheld.
 */
export function createSecretRedactor(loadValues: () => Promise<readonly SecretValue[]>): SecretRedactor {
  let scanner: SecretScanner | null = null;
  let refreshes = 0;
  /** The refresh that loaded the values in use. */
  let current = 0;

  const redact = (text: string): string => (scanner === null ? text : redactWith(scanner, text));

  return {
    redact,
    settledLength: (text) => (scanner === null ? text.length : settledLengthWith(scanner, text)),
    redactObject: (object) => (scanner === null ? object : redactFields(object, redact)),
    async refresh() {
      refreshes += 1;
      const refresh = refreshes;
      const values = await loadValues();
      // A refresh that started later has newer values, but one that is still loading must not keep this one from taking effect.
      if (refresh < current) return;
      current = refresh;
      scanner = values.length === 0 ? null : createSecretScanner(values);
    },
  };
}

/** Replaces the rest of a text in which values cannot be distinguished from other text in the available time. */
const WITHHELD = "[withheld: too much here looks like secrets]";

function redactWith(scanner: SecretScanner, text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let coveredTo = 0;
  const placeholders = new Set<string>();
  scanner.begin(text);
  let at = scanner.next(text, 0);
  while (at < text.length) {
    const { end, placeholder, isOverBudget } = scanner.finding;
    if (isOverBudget) return [...parts, text.slice(kept, Math.max(kept, at)), WITHHELD].join("");
    if (end > coveredTo) {
      if (at >= coveredTo) {
        parts.push(text.slice(kept, at));
        placeholders.clear();
      }
      // A value that starts within another one and extends beyond it is named too, each only once.
      if (!placeholders.has(placeholder)) parts.push(placeholder);
      placeholders.add(placeholder);
      coveredTo = end;
      kept = end;
    }
    at = scanner.next(text, at + 1);
  }
  return kept === 0 ? text : parts.join("") + text.slice(kept);
}

/** The length of the prefix whose redaction no further text can change; null if nothing that follows may be shown. */
function settledLengthWith(scanner: SecretScanner, text: string): number | null {
  let coveredFrom = 0;
  let coveredTo = 0;
  scanner.begin(text);
  let at = scanner.next(text, 0);
  while (at < text.length) {
    const { end, isPartial, isOverBudget } = scanner.finding;
    if (isOverBudget) return null;
    const start = at < coveredTo ? coveredFrom : at;
    if (isPartial) return start;
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
