/** Shorter values are words and numbers that occur everywhere; taking them out would make texts unreadable. */
const MIN_LENGTH = 6;
/** A line of a longer value that gives it away by itself, such as one of a private key. */
const MIN_LINE_LENGTH = 16;

/** What to look for when a value is to be found: itself, and the parts that give it away. Empty for one that is too short. */
export function findableTexts(value: string): Set<string> {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const longLines = lines.length > 1 ? lines.filter((line) => line.length >= MIN_LINE_LENGTH) : [];
  return new Set([value, trimmed, ...longLines].filter((text) => text.length >= MIN_LENGTH));
}

/**
 * How bytes look in base64 wherever they stand in what is encoded: after none, one or two bytes of a group of three, with
 * others after them, or as the end with padding and without. A character that also holds bits of a byte before is left out.
 */
export function base64Forms(text: string): string[] {
  const bytes = Buffer.byteLength(text);
  return BYTES_BEFORE.flatMap((before, index) => {
    const padded = Buffer.from(before + text)
      .toString("base64")
      .slice(SHARED_CHARACTERS[index]);
    const rest = (before.length + bytes) % 3;
    if (rest === 0) return [padded];
    const unpadded = padded.slice(0, rest - 3);
    return [unpadded.slice(0, -1), unpadded, padded];
  });
}

const BYTES_BEFORE = ["", "\0", "\0\0"] as const;
const SHARED_CHARACTERS = [0, 2, 3] as const;
