/** Keeps what must not be shown out of texts that leave: stored events, prompts, answers of tools, logs. */
export interface Redactor {
  /** The text with every secret value replaced by a mark that names the secret. */
  redact(text: string): string;
  /** The same for every text inside a JSON object, names of fields included. */
  redactObject(object: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /**
   * Of a text that is still being written: how many of its first characters can be redacted, whatever follows. Null where
   * `redact` withholds its end, so that what follows must not be shown either.
   */
  settledLength(text: string): number | null;
}

/** Takes secret values out of a text that comes in pieces. */
export interface RedactedStream {
  /** The next piece, and the part of the text that can be told now. */
  add(piece: string): string;
  /** What was held back, because it could have been the beginning of a value. */
  end(): string;
}

/** Its pieces together are what `redact` makes of the whole text, unless that withholds some of it. */
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
