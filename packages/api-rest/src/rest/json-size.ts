const [QUOTE, BACKSLASH, COMMA, OPEN_BRACKET, OPEN_BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b] as const;

/**
 * Whether a JSON text has more values than `limit` (at least one), counted by the characters that separate and open them.
 * Parsing many values takes many times as long as parsing one long text of the same size, so the size alone does not bound it.
 * One pass, which stops at the limit; the text need not be valid.
 */
export function hasMoreValues(json: Uint8Array, limit: number): boolean {
  let values = 1;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInString) {
      if (byte === QUOTE) isInString = false;
      else if (byte === BACKSLASH) at += 1;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      values += 1;
      if (values > limit) return true;
    }
  }
  return false;
}
