/** Shorter ones occur everywhere and prove nothing. */
const MIN_LENGTH = 10;

/**
 * Whether an excerpt stands in a text, word for word; only spacing and line breaks may differ. This is what keeps out what a
 * model makes up.
 */
export function occursIn(text: string, excerpt: string): boolean {
  const words = collapseSpace(excerpt);
  return words.length >= MIN_LENGTH && collapseSpace(text).includes(words);
}

function collapseSpace(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/g, " ").trim();
}
