/** Shorter values are words and numbers that occur everywhere; redacting them would make texts unreadable. */
const MIN_LENGTH = 6;
/** A line this long gives a multi-line value away by itself, such as a line of a private key. */
const MIN_LINE_LENGTH = 16;

/** The texts to look for to find a value: the value itself, and the parts that give it away. Empty if it is too short. */
export function findableTexts(value: string): Set<string> {
  const trimmed = value.trim();
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const longLines = lines.length > 1 ? lines.filter((line) => line.length >= MIN_LINE_LENGTH) : [];
  return new Set([value, trimmed, ...longLines].filter((text) => text.length >= MIN_LENGTH));
}

/**
 * How a text looks in base64 at any offset within the encoded bytes: after zero, one or two bytes of a group of three; followed
 * by more bytes, or at the end with and without padding. Characters that also encode bits of a preceding byte are left out.
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
