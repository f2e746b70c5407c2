/**
 * Splits a text into chunks of at most `maxCharacters`, which end at a line end or else a space if there is one in their
 * second half, and never within a character.
 */
export function* textChunks(text: string, maxCharacters: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    const to = endOfChunk(text, from, maxCharacters);
    yield text.slice(from, to);
    from = to;
  }
}

function endOfChunk(text: string, from: number, maxCharacters: number): number {
  const end = from + maxCharacters;
  if (end >= text.length) return text.length;
  for (const separator of ["\n", " "]) {
    const after = text.slice(from, end).lastIndexOf(separator) + 1;
    if (after > maxCharacters / 2) return from + after;
  }
  const isWithinPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return isWithinPair ? end - 1 : end;
}
