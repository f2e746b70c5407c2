/** Removes secret values from outgoing text: stored events, prompts, tool results, logs. */
export interface Redactor {
  /** Replaces every secret value in the text with a placeholder that names the secret. */
  redact(text: string): string;
  /** Redacts every string in a JSON object, keys included. */
  redactObject(object: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /**
   * How many leading characters of an incomplete text can be redacted regardless of what follows. Null if `redact` withholds
   * the end of the text, in which case whatever follows must be withheld as well.
   */
  settledLength(text: string): number | null;
}

/** Redacts a text that arrives in pieces. */
export interface RedactedStream {
  /** Adds the next piece and returns the redacted text that can be emitted so far. */
  add(piece: string): string;
  /** Returns the rest, which was held back because it could have been the beginning of a value. */
  end(): string;
}

/** The output, joined, equals `redact` of the whole text, unless that withholds part of it. */
export function createRedactedStream(redactor: Redactor): RedactedStream {
  let heldBack = "";
  let isWithheld = false;
  return {
    add(piece) {
      if (isWithheld) return "";
      const text = heldBack + piece;
      const length = redactor.settledLength(text);
      if (length === null) {
        isWithheld = true;
        heldBack = "";
        return redactor.redact(text);
      }
      heldBack = text.slice(length);
      return redactor.redact(text.slice(0, length));
    },
    end() {
      const rest = redactor.redact(heldBack);
      heldBack = "";
      return rest;
    },
  };
}
